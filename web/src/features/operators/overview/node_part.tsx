// The nodes: a card each where they are few, otherwise a line each. What is silent stands first.
import type { ServiceNode } from "../api/types";
import { NodeCard } from "./node_card";
import { NodeTable } from "./node_table";

const mostCards = 6;

export function NodePart({ nodes }: { nodes: readonly ServiceNode[] }) {
  const ordered = [...nodes].sort((a, b) => Number(a.alive) - Number(b.alive));
  return (
    <section class="stack" aria-label="Nodes">
      <h2>
        Nodes <span class="muted op-head-count">{nodes.length}</span>
      </h2>
      {nodes.length > mostCards ? (
        <NodeTable nodes={ordered} />
      ) : (
        <div class="op-nodes">
          {ordered.map((node) => (
            <NodeCard key={node.name} node={node} />
          ))}
        </div>
      )}
    </section>
  );
}
