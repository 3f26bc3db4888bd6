// The account's keys: those that work first, then those that did.
import { useState } from "preact/hooks";
import { ask } from "../../../app/dialogs";
import { useResource } from "../../../app/resource";
import { ErrorCard } from "../../../ui/error_card";
import { number } from "../../../ui/format";
import { When } from "../../../ui/when";
import { listKeys, revokeKey } from "../api/calls";
import type { AccountDetails, ApiKey } from "../api/types";
import { Pill } from "../parts/pill";
import { type Column, Row, Table } from "../parts/table";
import { WhenSet } from "../parts/when_set";
import { KeyDialog } from "./key_dialog";

const columns: Column[] = [
  { name: "Key" },
  { name: "State" },
  { name: "From", hide: "narrow" },
  { name: "Last used", hide: "phone" },
  { name: "Expires", hide: "phone" },
  { name: "Revoke", unseen: true, figures: true },
];
const tones = { active: "good", expired: "busy", revoked: "quiet" } as const;

interface KeyPartProps {
  account: AccountDetails;
  reloadAccount(): void;
}

export function KeyPart({ account, reloadAccount }: KeyPartProps) {
  const read = useResource(account.id, (signal) => listKeys(account.id, { signal }));
  const [issuing, setIssuing] = useState(false);
  const isGone = account.state === "erased" || account.state === "being_erased";
  const keys = [...(read.value?.keys ?? [])].sort(
    (a, b) => Number(b.state === "active") - Number(a.state === "active") || b.created_at.localeCompare(a.created_at),
  );
  const changed = () => {
    read.reload();
    reloadAccount();
  };

  async function revoke(key: ApiKey) {
    const done = await ask({
      title: `Revoke ${key.name}`,
      text: "Requests with it are refused from then on. This is final: who still needs access gets another key.",
      action: "Revoke the key",
      danger: true,
      run: async () => void (await revokeKey(key.id)),
    });
    if (done) changed();
  }

  return (
    <section class="stack" aria-label="Keys">
      <div class="row">
        <h2>
          Keys <span class="muted op-head-count">{number(account.keys.active)} active</span>
        </h2>
        <span class="push" />
        {!isGone && (
          <button type="button" class="button primary" onClick={() => setIssuing(true)}>
            Issue key
          </button>
        )}
      </div>
      {read.error !== undefined && <ErrorCard title="Keys could not be read" error={read.error} retry={read.reload} />}
      {read.value && keys.length === 0 && (
        <p class="card card-part muted">
          None yet. A key is what the account's programs, and people in the console, sign in with.
        </p>
      )}
      {keys.length > 0 && (
        <Table label="Keys" columns={columns}>
          {keys.map((key) => (
            <Row
              key={key.id}
              columns={columns}
              dim={key.state !== "active"}
              cells={[
                <>
                  <span class="op-name">{key.name}</span>
                  <span class="muted small-text op-below">
                    {key.role_code}, issued <When at={key.created_at} />
                  </span>
                </>,
                <Pill key="state" tone={tones[key.state]}>
                  {key.state}
                </Pill>,
                key.networks.length === 0 ? (
                  <span class="muted">anywhere</span>
                ) : (
                  <span class="mono">{key.networks.join(", ")}</span>
                ),
                <WhenSet key="used" at={key.last_used_at} none="never" />,
                <WhenSet key="expires" at={key.expires_at} none="never" />,
                key.state !== "revoked" && (
                  <button
                    type="button"
                    class="button small danger-quiet"
                    aria-label={`Revoke ${key.name}`}
                    onClick={() => void revoke(key)}
                  >
                    Revoke
                  </button>
                ),
              ]}
            />
          ))}
        </Table>
      )}
      {issuing && <KeyDialog account={account} issued={changed} close={() => setIssuing(false)} />}
    </section>
  );
}
