// How full a disk of a node is.
import { bytes } from "../../../ui/format";
import { Meter } from "../../../ui/meter";
import type { ServiceNode } from "../api/types";

type Disk = ServiceNode["disks"][number];

export const isNearlyFull = ({ free_bytes, size_bytes }: Disk): boolean =>
  size_bytes > 0 && free_bytes / size_bytes < 0.1;

export function DiskMeter({ disk }: { disk: Disk }) {
  const { folder, free_bytes, size_bytes } = disk;
  const isFull = isNearlyFull(disk);
  return (
    <div class="stack tight">
      <p class="op-between figures">
        <span class="mono cut" title={folder}>
          {folder}
        </span>
        <span class={isFull ? "bad-text op-nowrap" : "op-nowrap"}>
          {bytes(free_bytes)} free <span class="muted">of {bytes(size_bytes)}</span>
        </span>
      </p>
      <Meter
        value={size_bytes - free_bytes}
        most={size_bytes}
        label={`Used of ${folder}`}
        kind={isFull ? "bad" : "accent"}
      />
    </div>
  );
}
