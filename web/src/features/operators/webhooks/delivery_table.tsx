// Deliveries: newest first; a row opens what was sent and answered.
import { href } from "../../../app/router";
import { number } from "../../../ui/format";
import { When } from "../../../ui/when";
import type { Delivery, Endpoint } from "../api/types";
import { type Column, Row, Table } from "../parts/table";
import { DeliveryState, lastAnswer } from "./delivery_state";
import { replay } from "./replay";

const columns: Column[] = [
  { name: "Delivery" },
  { name: "State" },
  { name: "Tries", figures: true, hide: "phone" },
  { name: "Last answer", hide: "narrow" },
  { name: "When", figures: true, hide: "phone" },
  { name: "Act", unseen: true, figures: true },
];

interface DeliveryTableProps {
  deliveries: readonly Delivery[];
  endpoints: readonly Endpoint[];
  replayed(next: Delivery): void;
}

export function DeliveryTable({ deliveries, endpoints, replayed }: DeliveryTableProps) {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return (
    <Table label="Deliveries" columns={columns}>
      {deliveries.map((delivery) => {
        const endpoint = byId.get(delivery.endpoint_id);
        return (
          <Row
            key={delivery.id}
            columns={columns}
            cells={[
              <>
                <a class="op-row-link" href={href(`/operators/webhooks/deliveries/${delivery.id}`)}>
                  {delivery.type}
                </a>
                <span class="muted small-text op-below op-url">
                  {endpoint ? `${endpoint.account}, ${endpoint.url}` : "an endpoint that was deleted"}
                </span>
              </>,
              <DeliveryState key="state" delivery={delivery} />,
              number(delivery.attempts),
              <span key="answer" class="muted">
                {lastAnswer(delivery)}
              </span>,
              <When key="when" at={delivery.created_at} />,
              delivery.state !== "pending" && (
                <button
                  type="button"
                  class="button small op-above"
                  aria-label={`Replay ${delivery.type}`}
                  onClick={() => void replay(delivery).then((next) => next && replayed(next))}
                >
                  Replay
                </button>
              ),
            ]}
          />
        );
      })}
    </Table>
  );
}
