// Which errors the nodes have answered and which ones jobs ended with, the most frequent first.
import { number } from "../../../ui/format";
import type { ErrorTally, ServiceNode } from "../api/types";
import { tally } from "./tally";

const shown = 8;

export function ErrorTallies({ nodes }: { nodes: readonly ServiceNode[] }) {
  return (
    <section class="card card-part stack" aria-label="Errors">
      <div class="row">
        <h2>Errors</h2>
        <span class="muted small-text push">since the nodes started</span>
      </div>
      <div class="op-halves">
        <Tallies name="Jobs that failed" tallies={tally(nodes.map(({ job_errors }) => job_errors))} />
        <Tallies name="Requests refused" tallies={tally(nodes.map(({ errors }) => errors))} />
      </div>
    </section>
  );
}

function Tallies({ name, tallies }: { name: string; tallies: readonly ErrorTally[] }) {
  const more = tallies.length - shown;
  return (
    <div class="stack tight">
      <h3>{name}</h3>
      {tallies.length === 0 && <p class="muted">None.</p>}
      <ul class="op-tallies">
        {tallies.slice(0, shown).map(({ code, count }) => (
          <li key={code} class="op-between figures">
            <span class="mono cut">{code}</span>
            <span>{number(count)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="muted small-text">and {number(more)} more kinds</p>}
    </div>
  );
}
