// A table of facts; too wide ones scroll in their own frame. The first cell of a row names it.
import type { ComponentChildren } from "preact";

export interface Column {
  name: string;
  /** Numbers stand at the right, in tabular figures. */
  figures?: boolean;
  /** Left out where there is no room: "phone" below 600, "narrow" below 1000 pixels. */
  hide?: "phone" | "narrow";
  /** For those who do not see it, because its content needs no heading. */
  unseen?: boolean;
}

interface TableProps {
  label: string;
  columns: readonly Column[];
  children: ComponentChildren;
}

export const cellClass = ({ figures, hide }: Column): string =>
  `${figures ? "op-figures" : ""} ${hide ? `op-hide-${hide}` : ""}`;

export function Table({ label, columns, children }: TableProps) {
  return (
    <div class="card op-table-frame">
      <table class="op-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={cellClass(column)}>
                {column.unseen ? <span class="unseen">{column.name}</span> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** The cells of a row, in the order of the columns. */
export function Row({
  columns,
  cells,
  dim,
}: {
  columns: readonly Column[];
  cells: ComponentChildren[];
  dim?: boolean;
}) {
  return (
    <tr class={dim ? "op-dim" : undefined}>
      {columns.map((column, index) =>
        index === 0 ? (
          <th key={column.name} scope="row" class={cellClass(column)}>
            {cells[index]}
          </th>
        ) : (
          <td key={column.name} class={cellClass(column)}>
            {cells[index]}
          </td>
        ),
      )}
    </tr>
  );
}
