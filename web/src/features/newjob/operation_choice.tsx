// Which operation: links, so that each form has an address of its own.
import type { Operation } from "../../api/operations";
import { href } from "../../app/router";

interface OperationChoiceProps {
  operations: Operation[];
  chosen: string;
  assetId: string | undefined;
}

export function OperationChoice({ operations, chosen, assetId }: OperationChoiceProps) {
  return (
    <nav class="operations" aria-label="Operation">
      {operations.map(({ name }) => (
        <a
          key={name}
          class="operation"
          href={href("/jobs/new", { operation: name, asset_id: assetId })}
          aria-current={name === chosen ? "true" : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
