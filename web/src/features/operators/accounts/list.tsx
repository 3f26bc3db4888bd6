// Accounts: newest first, searched and filtered by what the address says.
import { matching, oneOf, parseQuery, queryOf } from "../../../app/query";
import { useResource } from "../../../app/resource";
import { go, href, place } from "../../../app/router";
import { useTitle } from "../../../app/title";
import { EmptyState } from "../../../ui/empty_state";
import { ErrorCard } from "../../../ui/error_card";
import { Icon } from "../../../ui/icon";
import { Skeleton } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import { listAccounts, listPlans } from "../api/calls";
import { accountStates } from "../api/types";
import { AccountState, stateName } from "../parts/account_state";
import { anyText } from "../parts/any_text";
import { useKept } from "../parts/kept";
import { aCursor, Pager } from "../parts/pager";
import { Refused } from "../parts/refused";
import { SearchField } from "../parts/search_field";
import { type Column, Row, Table } from "../parts/table";
import { CreateDialog } from "./create_dialog";

const schema = {
  q: anyText,
  state: oneOf(["", ...accountStates], ""),
  plan: matching(/^[\w-]{1,64}$/),
  cursor: aCursor,
  /** The dialog that is open: a reload keeps it. */
  dialog: oneOf(["", "new"], ""),
};

const columns: Column[] = [
  { name: "Account" },
  { name: "State" },
  { name: "Plan", hide: "phone" },
  { name: "Created", figures: true },
];

export default function AccountsPage() {
  useTitle("Accounts");
  const { values, refused } = parseQuery(schema, place.value.query);
  const { dialog, cursor, ...filters } = values;
  const asked = { ...filters, cursor, limit: 50 };
  const list = useResource(JSON.stringify(asked), (signal) => listAccounts(asked, { signal }));
  const plans = useResource("plans", (signal) => listPlans({ signal }));
  const shown = useKept(list.value);
  const found = shown?.accounts;
  const isFiltered = Object.keys(queryOf(schema, filters)).length > 0;

  const change = (next: Partial<typeof values>) =>
    go("/operators/accounts", queryOf(schema, { ...filters, ...next }), { replace: true });

  return (
    <div class="stack">
      <div class="row op-bar">
        <SearchField label="Slug, name or id" value={filters.q} change={(q) => change({ q })} />
        <select
          class="input op-select"
          aria-label="State"
          value={filters.state}
          onChange={(event) => change({ state: event.currentTarget.value as typeof filters.state })}
        >
          <option value="">Every state</option>
          {accountStates.map((state) => (
            <option key={state} value={state}>
              {stateName(state)}
            </option>
          ))}
        </select>
        <select
          class="input op-select"
          aria-label="Plan"
          value={filters.plan}
          onChange={(event) => change({ plan: event.currentTarget.value })}
        >
          <option value="">Every plan</option>
          {plans.value?.plans.map(({ code, display_name }) => (
            <option key={code} value={code}>
              {display_name}
            </option>
          ))}
        </select>
        <span class="push" />
        <button type="button" class="button primary" onClick={() => change({ cursor, dialog: "new" })}>
          <Icon name="plus" />
          New account
        </button>
      </div>
      <Refused refused={refused} />
      {list.error !== undefined && (
        <ErrorCard title="Accounts could not be read" error={list.error} retry={list.reload} />
      )}
      {!found && list.error === undefined && <Skeleton rows={8} />}
      {found?.length === 0 && !cursor && isFiltered && (
        <EmptyState title="No account matches" text="None has this in its slug or name, in this state, on this plan.">
          <a class="button" href={href("/operators/accounts")}>
            Show all accounts
          </a>
        </EmptyState>
      )}
      {found?.length === 0 && !cursor && !isFiltered && (
        <EmptyState
          title="No accounts yet"
          text="An account holds assets, jobs and tilesets of one customer. Its keys are what programs and the console sign in with."
        >
          <button type="button" class="button primary" onClick={() => change({ dialog: "new" })}>
            New account
          </button>
        </EmptyState>
      )}
      {found && found.length > 0 && (
        <Table label="Accounts" columns={columns}>
          {found.map((account) => (
            <Row
              key={account.id}
              columns={columns}
              dim={account.state === "erased"}
              cells={[
                <>
                  <a class="op-row-link" href={href(`/operators/accounts/${account.id}`)}>
                    {account.display_name}
                  </a>
                  <span class="muted small-text op-below">{account.slug}</span>
                </>,
                <AccountState key="state" state={account.state} />,
                account.plan,
                <When key="when" at={account.created_at} />,
              ]}
            />
          ))}
        </Table>
      )}
      {found && (found.length > 0 || cursor) && (
        <Pager
          query={queryOf(schema, filters)}
          cursor={cursor}
          next={shown?.next_cursor ?? null}
          shown={found.length}
          one="account"
        />
      )}
      {dialog === "new" && <CreateDialog plans={plans.value?.plans ?? []} close={() => change({ cursor })} />}
    </div>
  );
}
