// Many nodes, a line each.
import { bytes, number } from "../../../ui/format";
import { Meter } from "../../../ui/meter";
import { When } from "../../../ui/when";
import type { ServiceNode } from "../api/types";
import { Pill } from "../parts/pill";
import { type Column, Row, Table } from "../parts/table";
import { isNearlyFull } from "./disk_meter";
import { rate } from "./rate";
import { roleOf } from "./role";

const columns: Column[] = [
  { name: "Node" },
  { name: "State" },
  { name: "Jobs in hand", hide: "phone" },
  { name: "Engines busy", figures: true, hide: "narrow" },
  { name: "Requests/s", figures: true, hide: "narrow" },
  { name: "Jobs/min", figures: true },
  { name: "Least free", figures: true, hide: "phone" },
  { name: "Seen", figures: true, hide: "narrow" },
];

export function NodeTable({ nodes }: { nodes: readonly ServiceNode[] }) {
  return (
    <Table label="Nodes" columns={columns}>
      {nodes.map((node) => (
        <NodeLine key={node.name} node={node} />
      ))}
    </Table>
  );
}

function NodeLine({ node }: { node: ServiceNode }) {
  const { engines, rates } = node;
  const fullest = [...node.disks].sort((a, b) => a.free_bytes - b.free_bytes)[0];
  return (
    <Row
      columns={columns}
      cells={[
        <>
          <span class="op-name op-subject">{node.name}</span>
          <span class="muted small-text op-below">
            {roleOf(node)}
            {node.this_node && ", the one that answers you"}
          </span>
        </>,
        node.alive ? <Pill tone="good">alive</Pill> : <Pill tone="bad">silent</Pill>,
        node.role !== "api" && (
          <div class="op-used">
            <span class="figures">
              {number(node.jobs_in_hand)} <span class="muted">of {number(node.slots)}</span>
            </span>
            <Meter value={node.jobs_in_hand} most={node.slots} label={`Jobs in hand of ${node.name}`} kind="busy" />
          </div>
        ),
        <>
          {number(engines.busy)} <span class="muted">of {number(engines.alive)}</span>
          {engines.crashed > 0 && <span class="bad-text op-below small-text">{number(engines.crashed)} crashed</span>}
        </>,
        rate(rates.requests_per_second),
        rate(rates.jobs_per_minute),
        <span key="free" class={fullest && isNearlyFull(fullest) ? "bad-text" : ""} title={fullest?.folder}>
          {fullest ? bytes(fullest.free_bytes) : "–"}
        </span>,
        <>
          <When at={node.seen_at} />
          <span class="muted small-text op-below">{node.version}</span>
        </>,
      ]}
    />
  );
}
