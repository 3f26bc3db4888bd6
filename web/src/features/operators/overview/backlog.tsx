// What waits and runs, by operation.
import { href } from "../../../app/router";
import { number, span } from "../../../ui/format";
import { Meter } from "../../../ui/meter";
import type { Overview } from "../api/types";

export function Backlog({ queue }: { queue: Overview["queue"] }) {
  const most = Math.max(1, ...queue.operations.map(({ queued, running }) => queued + running));
  return (
    <section class="card card-part stack" aria-label="Backlog by operation">
      <h2>Backlog by operation</h2>
      {queue.operations.length === 0 && (
        <p class="muted">
          Nothing waits and nothing runs. Jobs come from <a href={href("/operators/accounts")}>accounts</a>.
        </p>
      )}
      {queue.operations.length > 0 && (
        <table class="op-plain">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col">
                <span class="unseen">Share</span>
              </th>
              <th scope="col" class="op-figures">
                Waiting
              </th>
              <th scope="col" class="op-figures">
                Running
              </th>
              <th scope="col" class="op-figures">
                Oldest
              </th>
            </tr>
          </thead>
          <tbody>
            {queue.operations.map(({ operation, queued, running, oldest_seconds }) => (
              <tr key={operation}>
                <th scope="row">{operation}</th>
                <td class="op-meter-cell">
                  <Meter value={queued + running} most={most} label={`Jobs of ${operation}`} />
                </td>
                <td class="op-figures">{number(queued)}</td>
                <td class="op-figures">{number(running)}</td>
                <td class="op-figures">{oldest_seconds === null ? "–" : span(oldest_seconds * 1000)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
