// Webhooks: where accounts are told of their jobs, and how that went.
import { anId, oneOf, parseQuery, queryOf } from "../../../app/query";
import { useResource } from "../../../app/resource";
import { go, href, place } from "../../../app/router";
import { useTitle } from "../../../app/title";
import { EmptyState } from "../../../ui/empty_state";
import { ErrorCard } from "../../../ui/error_card";
import { Icon } from "../../../ui/icon";
import { Segments } from "../../../ui/segments";
import { Skeleton } from "../../../ui/skeleton";
import { listDeliveries, listEndpoints } from "../api/calls";
import { deliveryStates } from "../api/types";
import { AccountField } from "../parts/account_field";
import { useKept } from "../parts/kept";
import { aCursor, Pager } from "../parts/pager";
import { Refused } from "../parts/refused";
import { DeliveryTable } from "./delivery_table";
import { EndpointTable } from "./endpoint_table";

const schema = {
  account_id: anId,
  endpoint_id: anId,
  state: oneOf(["all", ...deliveryStates], "all"),
  cursor: aCursor,
};
const states = [
  { value: "all", name: "All" },
  { value: "pending", name: "Pending" },
  { value: "delivered", name: "Delivered" },
  { value: "failed", name: "Failed" },
] as const;

export default function WebhooksPage() {
  useTitle("Webhooks");
  const { values, refused } = parseQuery(schema, place.value.query);
  const { cursor, ...filters } = values;
  const endpoints = useResource(`endpoints ${filters.account_id}`, (signal) =>
    listEndpoints({ account_id: filters.account_id }, { signal }),
  );
  const asked = { ...values, state: filters.state === "all" ? "" : filters.state, limit: 50 };
  const deliveries = useResource(JSON.stringify(asked), (signal) => listDeliveries(asked, { signal }));
  const change = (next: Partial<typeof filters>) =>
    go("/operators/webhooks", queryOf(schema, { ...filters, ...next }), { replace: true });
  const reload = () => {
    endpoints.reload();
    deliveries.reload();
  };
  const known = useKept(endpoints.value)?.endpoints;
  const shown = useKept(deliveries.value);
  const found = shown?.deliveries;
  const isFiltered = Object.keys(queryOf(schema, filters)).length > 0;

  return (
    <div class="stack">
      <div class="row op-bar">
        <AccountField value={filters.account_id} choose={(account_id) => change({ account_id, endpoint_id: "" })} />
        <span class="push" />
        <button type="button" class="icon-button" aria-label="Refresh now" title="Refresh now" onClick={reload}>
          <Icon name="retry" />
        </button>
      </div>
      <Refused refused={refused} />
      <section class="stack" aria-label="Endpoints">
        <h2>Endpoints {known && <span class="muted op-head-count">{known.length}</span>}</h2>
        {endpoints.error !== undefined && (
          <ErrorCard title="Endpoints could not be read" error={endpoints.error} retry={endpoints.reload} />
        )}
        {!known && endpoints.error === undefined && <Skeleton rows={3} />}
        {known?.length === 0 && (
          <EmptyState
            title={filters.account_id ? "This account has no endpoint" : "No endpoints yet"}
            text="An account is told of its jobs at the addresses that were added for it: tessera admin webhook add SLUG URL."
          />
        )}
        {known && known.length > 0 && (
          <EndpointTable
            endpoints={known}
            chosen={filters.endpoint_id}
            choose={(endpoint_id) => change({ endpoint_id })}
            changed={(next) => endpoints.set({ endpoints: known.map((old) => (old.id === next.id ? next : old)) })}
          />
        )}
      </section>
      <section class="stack" aria-label="Deliveries">
        <div class="row">
          <h2>Deliveries</h2>
          {filters.endpoint_id && (
            <button
              type="button"
              class="button small"
              aria-label="Of one endpoint; show of all"
              onClick={() => change({ endpoint_id: "" })}
            >
              Of one endpoint
              <Icon name="close" />
            </button>
          )}
          <span class="push" />
          <Segments label="State" value={filters.state} choices={states} choose={(state) => change({ state })} />
        </div>
        {deliveries.error !== undefined && (
          <ErrorCard title="Deliveries could not be read" error={deliveries.error} retry={deliveries.reload} />
        )}
        {!found && deliveries.error === undefined && <Skeleton rows={6} />}
        {found?.length === 0 && !cursor && (
          <EmptyState
            title={isFiltered ? "No delivery matches" : "No deliveries yet"}
            text={
              isFiltered
                ? "There are none in this state, of this account or endpoint."
                : "When a job of an account with an endpoint ends, it is told there; each telling is listed here."
            }
          >
            {isFiltered && (
              <a class="button" href={href("/operators/webhooks")}>
                Show all deliveries
              </a>
            )}
          </EmptyState>
        )}
        {found && found.length > 0 && (
          <DeliveryTable
            deliveries={found}
            endpoints={known ?? []}
            replayed={(next) =>
              deliveries.set({
                deliveries: found.map((old) => (old.id === next.id ? next : old)),
                next_cursor: shown?.next_cursor ?? null,
              })
            }
          />
        )}
        {found && (found.length > 0 || cursor) && (
          <Pager
            query={queryOf(schema, filters)}
            cursor={cursor}
            next={shown?.next_cursor ?? null}
            shown={found.length}
            one="delivery"
            many="deliveries"
          />
        )}
      </section>
    </div>
  );
}
