// One delivery: what was sent, and what came back each time.
import { isNotFound } from "../../../api/errors";
import { useResource } from "../../../app/resource";
import { href } from "../../../app/router";
import { useTitle } from "../../../app/title";
import { CopyButton } from "../../../ui/copy_button";
import { EmptyState } from "../../../ui/empty_state";
import { ErrorCard } from "../../../ui/error_card";
import { number, span } from "../../../ui/format";
import { Icon } from "../../../ui/icon";
import { Skeleton } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import { readDelivery } from "../api/calls";
import { pretty } from "../parts/pretty";
import { type Column, Row, Table } from "../parts/table";
import { WhenSet } from "../parts/when_set";
import { DeliveryState } from "./delivery_state";
import { replay } from "./replay";

const above = { name: "Webhooks", href: href("/operators/webhooks") };
const columns: Column[] = [
  { name: "Try", figures: true },
  { name: "When" },
  { name: "Took", figures: true, hide: "phone" },
  { name: "Answer" },
];

export default function DeliveryPage({ id }: { id: string }) {
  useTitle("Delivery", above);
  const read = useResource(id, (signal) => readDelivery(id, { signal }));
  const delivery = read.value;
  if (!delivery) {
    if (isNotFound(read.error)) {
      return (
        <EmptyState
          title="There is no such delivery"
          text={`None has the id ${id}. Old ones are deleted after a while.`}
        >
          <a class="button primary" href={above.href}>
            Show all deliveries
          </a>
        </EmptyState>
      );
    }
    if (read.error !== undefined) {
      return <ErrorCard title="The delivery could not be read" error={read.error} retry={read.reload} />;
    }
    return <Skeleton rows={6} />;
  }
  const body = pretty(delivery.body);
  return (
    <div class="stack">
      <div class="row">
        <b>{delivery.type}</b>
        <DeliveryState delivery={delivery} />
        <span class="push" />
        <button type="button" class="icon-button" aria-label="Refresh now" title="Refresh now" onClick={read.reload}>
          <Icon name="retry" />
        </button>
        {delivery.state !== "pending" && (
          <button
            type="button"
            class="button primary"
            onClick={() => void replay(delivery).then((next) => next && read.reload())}
          >
            Replay
          </button>
        )}
      </div>
      <div class="split">
        <div class="stack">
          <section class="stack" aria-label="Tries">
            <h2>Tries</h2>
            {delivery.log.length === 0 && <p class="card card-part muted">It was not tried yet.</p>}
            {delivery.log.length > 0 && (
              <Table label="Tries" columns={columns}>
                {delivery.log.map((entry) => (
                  <Row
                    key={entry.attempt}
                    columns={columns}
                    cells={[
                      number(entry.attempt),
                      <When key="when" at={entry.at} />,
                      span(entry.duration_ms),
                      <>
                        <span class={entry.error ? "bad-text" : undefined}>
                          {entry.status === null ? entry.error : `status ${entry.status}`}
                        </span>
                        {entry.response && <pre class="op-response">{entry.response}</pre>}
                      </>,
                    ]}
                  />
                ))}
              </Table>
            )}
          </section>
          <section class="card" aria-label="Body">
            <div class="card-part row">
              <h2>Body</h2>
              <span class="push" />
              <CopyButton text={body} label="Copy the body" />
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
            <pre class="card-part op-code" tabIndex={0} role="region" aria-label="Body as it was sent">
              {body}
            </pre>
          </section>
        </div>
        <section class="card card-part stack" aria-label="About it">
          <dl class="facts">
            <dt>Id</dt>
            <dd class="op-id">
              <span class="mono">{delivery.id}</span>
              <CopyButton text={delivery.id} label="Copy the id" />
            </dd>
            <dt>Made</dt>
            <dd>
              <When at={delivery.created_at} />
            </dd>
            <dt>Tries</dt>
            <dd>{number(delivery.attempts)}</dd>
            <dt>Next try</dt>
            <dd>
              <WhenSet at={delivery.next_attempt_at} none="none" />
            </dd>
            {delivery.job_id && (
              <>
                <dt>Job</dt>
                <dd class="op-id">
                  <span class="mono">{delivery.job_id}</span>
                  <CopyButton text={delivery.job_id} label="Copy the job's id" />
                </dd>
              </>
            )}
          </dl>
          <div class="actions">
            <a class="button" href={href(`/operators/accounts/${delivery.account_id}`)}>
              Account
            </a>
            <a class="button" href={href("/operators/webhooks", { endpoint_id: delivery.endpoint_id })}>
              All of this endpoint
            </a>
          </div>
        </section>
      </div>
    </div>
  );
}
