// The audit trail: who did what to whom, newest first. Which account's, and where in it, stands in the address.
import { anId, parseQuery, queryOf } from "../../../app/query";
import { useResource } from "../../../app/resource";
import { go, href, place } from "../../../app/router";
import { useTitle } from "../../../app/title";
import { EmptyState } from "../../../ui/empty_state";
import { ErrorCard } from "../../../ui/error_card";
import { Icon } from "../../../ui/icon";
import { Skeleton } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import { listAudit } from "../api/calls";
import { AccountField } from "../parts/account_field";
import { useKept } from "../parts/kept";
import { aCursor, Pager } from "../parts/pager";
import { Refused } from "../parts/refused";
import { type Column, Row, Table } from "../parts/table";
import { AuditDetails } from "./audit_details";

const schema = { account_id: anId, cursor: aCursor };
const columns: Column[] = [
  { name: "Act" },
  { name: "Account" },
  { name: "By", hide: "phone" },
  { name: "Details", hide: "narrow" },
  { name: "When", figures: true },
];

/** What is left of an erased account is its id. */
const nameOf = ({ account, account_id }: { account?: string | null; account_id?: string | null }): string =>
  !account || account === `erased-${account_id}` ? "erased" : account;

export default function AuditPage() {
  useTitle("Audit trail");
  const { values, refused } = parseQuery(schema, place.value.query);
  const { account_id, cursor } = values;
  const read = useResource(JSON.stringify(values), (signal) => listAudit({ ...values, limit: 50 }, { signal }));
  const shown = useKept(read.value);
  const found = shown?.entries;
  return (
    <div class="stack">
      <div class="row op-bar">
        <AccountField
          value={account_id}
          choose={(next) => go("/operators/audit", queryOf(schema, { account_id: next }), { replace: true })}
        />
        <span class="push" />
        <button type="button" class="icon-button" aria-label="Refresh now" title="Refresh now" onClick={read.reload}>
          <Icon name="retry" />
        </button>
      </div>
      <Refused refused={refused} />
      {read.error !== undefined && (
        <ErrorCard title="The audit trail could not be read" error={read.error} retry={read.reload} />
      )}
      {!found && read.error === undefined && <Skeleton rows={10} />}
      {found?.length === 0 && !cursor && (
        <EmptyState
          title={account_id ? "Nothing was done to this account" : "Nothing was done yet"}
          text="What operators and commands change is written down here: accounts, keys, plans, sign-ins. It can't be changed."
        >
          {account_id && (
            <a class="button" href={href("/operators/audit")}>
              Show all accounts'
            </a>
          )}
        </EmptyState>
      )}
      {found && found.length > 0 && (
        <Table label="Audit trail" columns={columns}>
          {found.map((entry) => (
            <Row
              key={entry.sequence}
              columns={columns}
              cells={[
                <>
                  <span class="op-name">{entry.action}</span>
                  {entry.subject && <span class="muted small-text op-below op-subject">{entry.subject}</span>}
                </>,
                entry.account_id ? (
                  <a href={href(`/operators/accounts/${entry.account_id}`)}>{nameOf(entry)}</a>
                ) : (
                  <span class="muted">–</span>
                ),
                entry.actor,
                <AuditDetails key="details" details={entry.details} />,
                <When key="when" at={entry.at} />,
              ]}
            />
          ))}
        </Table>
      )}
      {found && (found.length > 0 || cursor) && (
        <Pager
          query={queryOf(schema, { account_id })}
          cursor={cursor}
          next={shown?.next_cursor ?? null}
          shown={found.length}
          one="entry"
          many="entries"
        />
      )}
    </div>
  );
}
