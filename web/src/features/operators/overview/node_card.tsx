// One node: whether it lives, what it has in hand, its engines, folds and disks.
import { number } from "../../../ui/format";
import { Meter } from "../../../ui/meter";
import { When } from "../../../ui/when";
import type { ServiceNode } from "../api/types";
import { Pill } from "../parts/pill";
import { DiskMeter } from "./disk_meter";
import { rate } from "./rate";
import { roleOf } from "./role";

export function NodeCard({ node }: { node: ServiceNode }) {
  const { engines, folds, rates } = node;
  return (
    <article class="card op-node" aria-label={`Node ${node.name}`}>
      <header class="card-part op-node-head">
        <div class="op-node-name">
          <h3 class="cut" title={node.name}>
            {node.name}
          </h3>
          <p class="muted small-text">
            {roleOf(node)}
            {node.this_node && ", the one that answers you"}
          </p>
        </div>
        {node.alive ? <Pill tone="good">alive</Pill> : <Pill tone="bad">silent</Pill>}
      </header>
      <div class="card-part op-node-body">
        <div class="stack">
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
          {node.disks.map((disk) => (
            <DiskMeter key={disk.folder} disk={disk} />
          ))}
        </div>
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
        </dl>
        <dl class="facts">
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
      </div>
    </article>
  );
}
