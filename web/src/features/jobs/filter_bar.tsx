// Which jobs are shown; the main action of the page beside it.
import { operationNames } from "../../api/operations";
import { href } from "../../app/router";
import { Icon } from "../../ui/icon";
import { Segments } from "../../ui/segments";
import type { Filters, statuses } from "./filters";
import { LiveMark } from "./live_mark";

type Status = (typeof statuses)[number];

const choices: { value: Status; name: string }[] = [
  { value: "all", name: "All" },
  { value: "queued", name: "Queued" },
  { value: "running", name: "Running" },
  { value: "succeeded", name: "Succeeded" },
  { value: "failed", name: "Failed" },
];

interface FilterBarProps {
  filters: Filters;
  change(next: Partial<Filters>): void;
}

export function FilterBar({ filters, change }: FilterBarProps) {
  const names = operationNames.value;
  const listed = filters.operation && !names.includes(filters.operation) ? [...names, filters.operation] : names;
  return (
    <div class="row jobs-bar">
      <Segments label="State" value={filters.status} choices={choices} choose={(status) => change({ status })} />
      <select
        class="input jobs-operation"
        aria-label="Operation"
        value={filters.operation}
        onChange={(event) => change({ operation: event.currentTarget.value })}
      >
        <option value="">Every operation</option>
        {listed.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {filters.asset_id && <Chip name="one asset" remove={() => change({ asset_id: "" })} />}
      {filters.tileset_id && <Chip name="one tileset" remove={() => change({ tileset_id: "" })} />}
      <span class="push" />
      <LiveMark />
      <a class="button primary" href={href("/jobs/new")}>
        New job
      </a>
    </div>
  );
}

function Chip({ name, remove }: { name: string; remove(): void }) {
  return (
    <button type="button" class="button" aria-label={`Of ${name}; show of all`} onClick={remove}>
      Of {name}
      <Icon name="close" />
    </button>
  );
}
