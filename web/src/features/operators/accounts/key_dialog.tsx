// Issues a key, and then shows it: this once. The dialog stays until the person says that they have it.
import { useState } from "preact/hooks";
import { useResource } from "../../../app/resource";
import { issueKey, type KeyWanted, listRoles } from "../api/calls";
import type { AccountDetails, IssuedKey } from "../api/types";
import { useDraft } from "../parts/draft";
import { useFocusFirst } from "../parts/focus_first";
import { FormDialog } from "../parts/form_dialog";
import { useSubmission } from "../parts/submission";
import { IssuedKeyPart } from "./issued_key_part";
import { expiryOf, lifetimes, networksOf } from "./key_wishes";

interface KeyDialogProps {
  account: AccountDetails;
  issued(): void;
  close(): void;
}

export function KeyDialog({ account, issued, close }: KeyDialogProps) {
  const first = useFocusFirst();
  const roles = useResource("roles", (signal) => listRoles({ signal })).value?.roles ?? [];
  const [draft, change, forget] = useDraft(`key.${account.id}`, {
    name: "",
    role: "runtime",
    lifetime: "never",
    day: "",
    networks: "",
  });
  const [made, setMade] = useState<IssuedKey>();
  const submission = useSubmission(async () => {
    if (!draft.name.trim()) throw new Error("Give the key a name, so that it is known later whose it is.");
    const expires_at = expiryOf(draft.lifetime, draft.day, Date.now());
    const networks = networksOf(draft.networks);
    const wanted: KeyWanted = { name: draft.name.trim(), role_code: draft.role };
    if (expires_at) wanted.expires_at = expires_at;
    if (networks.length > 0) wanted.networks = networks;
    setMade(await issueKey(account.id, wanted));
    forget();
    issued();
  });
  if (made) return <IssuedKeyPart issued={made} close={close} />;

  const role = roles.find(({ code }) => code === draft.role);
  const leave = () => {
    forget();
    close();
  };
  return (
    <FormDialog
      title={`Issue a key for ${account.display_name}`}
      submission={submission}
      action="Issue key"
      acting="Issuing …"
      leave={leave}
    >
      <div class="field">
        <label for="key-name">Name</label>
        <input
          ref={first}
          id="key-name"
          class="input"
          value={draft.name}
          autocomplete="off"
          placeholder="web shop"
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="key-role">Role</label>
        <select
          id="key-role"
          class="input"
          value={draft.role}
          aria-describedby="key-role-help"
          onChange={(event) => change({ role: event.currentTarget.value })}
        >
          {roles.length === 0 && <option value={draft.role}>{draft.role}</option>}
          {roles.map(({ code }) => (
            <option key={code} value={code}>
              {code}
            </option>
          ))}
        </select>
        <p id="key-role-help" class="field-help">
          {role?.description}
        </p>
      </div>
      <div class="op-pair">
        <div class="field">
          <label for="key-lifetime">Expires</label>
          <select
            id="key-lifetime"
            class="input"
            value={draft.lifetime}
            onChange={(event) => change({ lifetime: event.currentTarget.value })}
          >
            {lifetimes.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
        {draft.lifetime === "day" && (
          <div class="field">
            <label for="key-day">End of the day</label>
            <input
              id="key-day"
              class="input"
              type="date"
              value={draft.day}
              onInput={(event) => change({ day: event.currentTarget.value })}
            />
          </div>
        )}
      </div>
      <div class="field">
        <label for="key-networks">Address ranges</label>
        <input
          id="key-networks"
          class="input mono"
          value={draft.networks}
          autocomplete="off"
          spellcheck={false}
          placeholder="10.0.0.0/8, 2001:db8::/32"
          aria-describedby="key-networks-help"
          onInput={(event) => change({ networks: event.currentTarget.value })}
        />
        <p id="key-networks-help" class="field-help">
          Where it may be used from. Empty: from anywhere.
        </p>
      </div>
    </FormDialog>
  );
}
