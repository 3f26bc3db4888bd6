// What the job brought: bytes saved, and the result to take away.
import { addressOf } from "../../api/address";
import { CopyButton } from "../../ui/copy_button";
import { bytes, change, size, span } from "../../ui/format";
import { Icon } from "../../ui/icon";
import type { Comparison } from "./job_sides";
import { ResultChoice } from "./result_choice";
import { asCurl, fileName } from "./take_away";

export function CompareFooter({ comparison }: { comparison: Comparison }) {
  const { job, before, after, name } = comparison;
  const saved = before.bytes - after.bytes;
  const took =
    job.started_at && job.completed_at ? span(Date.parse(job.completed_at) - Date.parse(job.started_at)) : undefined;
  const resized = before.width !== after.width || before.height !== after.height;
  const facts = [
    `${bytes(Math.abs(saved))} ${saved >= 0 ? "saved" : "more"}`,
    resized ? `${size(before.width, before.height)} → ${size(after.width, after.height)}` : undefined,
    took,
  ].filter(Boolean);
  return (
    <footer class="compare-footer">
      <p class={`figure ${saved > 0 ? "good-text" : saved < 0 ? "bad-text" : ""}`}>
        <span aria-hidden="true">{saved > 0 ? "↓" : saved < 0 ? "↑" : ""} </span>
        {change(before.bytes, after.bytes)}
      </p>
      <p class="muted figures">{facts.join(" · ")}</p>
      {job.artifacts.length > 1 && <ResultChoice job={job} kind={comparison.kind} />}
      <p class="muted small-text compare-keys" aria-hidden="true">
        <kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd> sides · <kbd>←</kbd> <kbd>→</kbd> divider · <kbd>F</kbd> flip ·{" "}
        <kbd>Z</kbd> zoom
      </p>
      <div class="actions">
        <CopyButton text={() => asCurl(addressOf(""), job)}>Copy as curl</CopyButton>
        <a class="button primary" href={after.address} download={fileName(name, job.operation, after.format)}>
          <Icon name="download" /> Download
        </a>
      </div>
    </footer>
  );
}
