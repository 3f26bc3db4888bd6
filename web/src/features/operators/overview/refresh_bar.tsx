// How often the overview is asked for, and how old it is.
import { Icon } from "../../../ui/icon";
import { Segments } from "../../../ui/segments";
import { When } from "../../../ui/when";
import { type Interval, overview } from "./polled";

const choices: { value: Interval; name: string }[] = [
  { value: "2", name: "2 s" },
  { value: "10", name: "10 s" },
  { value: "60", name: "60 s" },
  { value: "paused", name: "Paused" },
];

interface RefreshBarProps {
  every: Interval;
  choose(every: Interval): void;
  refresh(): void;
}

export function RefreshBar({ every, choose, refresh }: RefreshBarProps) {
  const read = overview.value;
  return (
    <div class="row">
      <p class="muted figures">
        {read && (
          <>
            Tessera {read.version}, {read.database}, {read.blobs === "s3" ? "S3" : "files"}
          </>
        )}
      </p>
      <span class="push" />
      {every === "paused" && read && (
        <span class="muted small-text">
          as of <When at={read.at} />
        </span>
      )}
      <Segments label="Refresh" value={every} choices={choices} choose={choose} />
      <button type="button" class="icon-button" aria-label="Refresh now" title="Refresh now" onClick={refresh}>
        <Icon name="retry" />
      </button>
    </div>
  );
}
