// Usage across accounts, of the period that each is in.
import { parseQuery, queryOf } from "../../../app/query";
import { useResource } from "../../../app/resource";
import { go, href, place } from "../../../app/router";
import { useTitle } from "../../../app/title";
import { EmptyState } from "../../../ui/empty_state";
import { ErrorCard } from "../../../ui/error_card";
import { bytes, number } from "../../../ui/format";
import { Meter } from "../../../ui/meter";
import { Skeleton } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import { listUsage } from "../api/calls";
import { AccountState } from "../parts/account_state";
import { anyText } from "../parts/any_text";
import { useKept } from "../parts/kept";
import { aCursor, Pager } from "../parts/pager";
import { Refused } from "../parts/refused";
import { SearchField } from "../parts/search_field";
import { type Column, Row, Table } from "../parts/table";

const schema = { q: anyText, cursor: aCursor };
const columns: Column[] = [
  { name: "Account" },
  { name: "Plan", hide: "narrow" },
  { name: "Credits used" },
  { name: "Stored", figures: true },
  { name: "Assets", figures: true, hide: "phone" },
  { name: "Delivered", figures: true, hide: "phone" },
  { name: "Period ends", figures: true, hide: "narrow" },
];

export default function UsagePage() {
  useTitle("Usage");
  const { values, refused } = parseQuery(schema, place.value.query);
  const read = useResource(JSON.stringify(values), (signal) => listUsage({ ...values, limit: 50 }, { signal }));
  const shown = useKept(read.value);
  const found = shown?.accounts;
  return (
    <div class="stack">
      <div class="row op-bar">
        <SearchField
          label="Slug, name or id"
          value={values.q}
          change={(q) => go("/operators/usage", queryOf(schema, { q }), { replace: true })}
        />
      </div>
      <Refused refused={refused} />
      {read.error !== undefined && <ErrorCard title="Usage could not be read" error={read.error} retry={read.reload} />}
      {!found && read.error === undefined && <Skeleton rows={8} />}
      {found?.length === 0 && !values.cursor && (
        <EmptyState
          title={values.q ? "No account matches" : "No accounts yet"}
          text={
            values.q ? "None has this in its slug or name." : "What accounts use is listed here once there are some."
          }
        >
          <a class="button" href={href(values.q ? "/operators/usage" : "/operators/accounts")}>
            {values.q ? "Show all accounts" : "Go to accounts"}
          </a>
        </EmptyState>
      )}
      {found && found.length > 0 && (
        <Table label="Usage of accounts" columns={columns}>
          {found.map(({ id, slug, display_name, plan, state, period, processing_credits, ...rest }) => (
            <Row
              key={id}
              columns={columns}
              cells={[
                <>
                  <a class="op-row-link" href={href(`/operators/accounts/${id}`)}>
                    {display_name}
                  </a>
                  <span class="op-below op-beside">
                    <span class="muted small-text">{slug}</span>
                    {state !== "active" && <AccountState state={state} />}
                  </span>
                </>,
                plan,
                <div key="credits" class="op-used">
                  <span class="figures">
                    {number(processing_credits.used)} <span class="muted">of {number(processing_credits.limit)}</span>
                  </span>
                  <Meter
                    value={processing_credits.used}
                    most={processing_credits.limit}
                    label={`Credits used by ${slug}`}
                    kind={processing_credits.used >= processing_credits.limit ? "bad" : "accent"}
                  />
                </div>,
                bytes(rest.storage.bytes),
                number(rest.storage.assets),
                bytes(rest.cdn_delivery_bytes),
                <When key="ends" at={period.ends_at} />,
              ]}
            />
          ))}
        </Table>
      )}
      {found && (found.length > 0 || values.cursor) && (
        <Pager
          query={queryOf(schema, { q: values.q })}
          cursor={values.cursor}
          next={shown?.next_cursor ?? null}
          shown={found.length}
          one="account"
        />
      )}
    </div>
  );
}
