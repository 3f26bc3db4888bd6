// Many nodes, a line each.
import { bytes, number } from "../../../ui/format";
import { Meter } from "../../../ui/meter";
import { When } from "../../../ui/when";
import type { ServiceNode } from "../api/types";
import { Pill } from "../parts/pill";
import { isNearlyFull } from "./disk_meter";
import { rate } from "./rate";
import { roleOf } from "./role";

export function NodeTable({ nodes }: { nodes: readonly ServiceNode[] }) {
  return (
    <div class="card op-table-frame">
      <table class="op-table op-node-table" aria-label="Nodes">
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">State</th>
            <th scope="col">Jobs in hand</th>
            <th scope="col" class="op-figures">
              Engines busy
            </th>
            <th scope="col" class="op-figures">
              Requests/s
            </th>
            <th scope="col" class="op-figures">
              Jobs/min
            </th>
            <th scope="col" class="op-figures">
              Least free
            </th>
            <th scope="col" class="op-figures">
              Seen
            </th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <NodeLine key={node.name} node={node} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NodeLine({ node }: { node: ServiceNode }) {
  const { engines, rates } = node;
  const fullest = [...node.disks].sort((a, b) => a.free_bytes - b.free_bytes)[0];
  return (
    <tr>
      <th scope="row">
        <span class="op-name">{node.name}</span>
        <span class="muted small-text op-below">
          {roleOf(node)}
          {node.this_node && ", the one that answers you"}
        </span>
      </th>
      <td>{node.alive ? <Pill tone="good">alive</Pill> : <Pill tone="bad">silent</Pill>}</td>
      <td>
        {node.role !== "api" && (
          <div class="op-used">
            <span class="figures">
              {number(node.jobs_in_hand)} <span class="muted">of {number(node.slots)}</span>
            </span>
            <Meter value={node.jobs_in_hand} most={node.slots} label={`Jobs in hand of ${node.name}`} kind="busy" />
          </div>
        )}
      </td>
      <td class="op-figures">
        {number(engines.busy)} <span class="muted">of {number(engines.alive)}</span>
        {engines.crashed > 0 && <span class="bad-text op-below small-text">{number(engines.crashed)} crashed</span>}
      </td>
      <td class="op-figures">{rate(rates.requests_per_second)}</td>
      <td class="op-figures">{rate(rates.jobs_per_minute)}</td>
      <td class={`op-figures ${fullest && isNearlyFull(fullest) ? "bad-text" : ""}`} title={fullest?.folder}>
        {fullest ? bytes(fullest.free_bytes) : "–"}
      </td>
      <td class="op-figures">
        <When at={node.seen_at} />
        <span class="muted small-text op-below">{node.version}</span>
      </td>
    </tr>
  );
}
