// One node: whether it lives, what it has in hand, its engines, folds and disks.
import { bytes, number } from "../../../ui/format";
import { Meter } from "../../../ui/meter";
import { When } from "../../../ui/when";
import type { ServiceNode } from "../api/types";
import { Pill } from "../parts/pill";
import { rate } from "./rate";

const roles = { api: "API", worker: "worker", both: "API and worker" } as const;

export function NodeCard({ node }: { node: ServiceNode }) {
  const { engines, folds, rates } = node;
  return (
    <article class="card" aria-label={`Node ${node.name}`}>
      <header class="card-part op-node-head">
        <div class="op-node-name">
          <h3 class="cut" title={node.name}>
            {node.name}
          </h3>
          <p class="muted small-text">
            {roles[node.role] ?? node.role}
            {node.this_node && ", the one that answers you"}
          </p>
        </div>
        {node.alive ? <Pill tone="good">alive</Pill> : <Pill tone="bad">silent</Pill>}
      </header>
      <div class="card-part stack">
        {node.role !== "api" && (
          <div class="stack tight">
            <p class="op-between figures">
              <span>Jobs in hand</span>
              <span>
                {number(node.jobs_in_hand)} <span class="muted">of {number(node.slots)}</span>
              </span>
            </p>
            <Meter value={node.jobs_in_hand} most={node.slots} label="Jobs in hand" kind="busy" />
          </div>
        )}
        <dl class="facts">
          <dt>Engines</dt>
          <dd>
            {number(engines.alive)} alive, {number(engines.busy)} busy
            {engines.waiting > 0 && `, ${number(engines.waiting)} wait for one`}
            {engines.crashed > 0 && <span class="bad-text">, {number(engines.crashed)} crashed</span>}
          </dd>
          <dt>Folds</dt>
          <dd>
            {number(folds.folded)} done
            {folds.failed > 0 && <span class="bad-text">, {number(folds.failed)} failed</span>}
          </dd>
          <dt>Rates</dt>
          <dd>
            {rate(rates.requests_per_second)} requests/s, {rate(rates.jobs_per_minute)} jobs/min
          </dd>
          <dt>Up since</dt>
          <dd>
            <When at={node.started_at} />
          </dd>
          <dt>Seen</dt>
          <dd>
            <When at={node.seen_at} /> <span class="muted">{node.version}</span>
          </dd>
        </dl>
        {node.disks.map(({ folder, free_bytes, size_bytes }) => {
          const used = size_bytes - free_bytes;
          const isFull = size_bytes > 0 && free_bytes / size_bytes < 0.1;
          return (
            <div key={folder} class="stack tight">
              <p class="op-between figures">
                <span class="mono cut" title={folder}>
                  {folder}
                </span>
                <span class={isFull ? "bad-text op-nowrap" : "op-nowrap"}>
                  {bytes(free_bytes)} free <span class="muted">of {bytes(size_bytes)}</span>
                </span>
              </p>
              <Meter value={used} most={size_bytes} label={`Used of ${folder}`} kind={isFull ? "bad" : "accent"} />
            </div>
          );
        })}
      </div>
    </article>
  );
}
