// All uploads together: how far, how fast, how long still.
import { now } from "../../app/clock";
import { bytes, count, span } from "../../ui/format";
import { Meter } from "../../ui/meter";
import { hold, open, speed, totals } from "./queue";

export function ProgressLine() {
  const left = open.value.length;
  if (left === 0) return null;
  const { all, sent } = totals.value;
  const rate = speed.perSecond.value;
  const held = hold.value;
  const words = [`${count(left, "file")} to go`, `${bytes(sent)} of ${bytes(all)}`];
  if (held) {
    const seconds = Math.max(0, Math.ceil((held.until - now.value) / 1_000));
    words.push(
      held.why === "rate" ? `waits ${seconds} s for the rate limit` : `the service is away; next try in ${seconds} s`,
    );
  } else if (rate) {
    words.push(`${bytes(rate)}/s`, `about ${span(((all - sent) / rate) * 1_000)} left`);
  }
  return (
    <div class="upload-progress card-part" role="status">
      <p class="figures">{words.join(" · ")}</p>
      <Meter value={sent} most={all} label="All uploads" kind={held ? "busy" : "accent"} />
    </div>
  );
}
