// The numbers that tell whether all is well, each with its course since the page was opened.
import { number, span } from "../../../ui/format";
import type { Overview } from "../api/types";
import { Sparkline } from "../parts/sparkline";
import { type Sample, sampleOf } from "./polled";
import { rate } from "./rate";

export function Figures({ overview, samples }: { overview: Overview; samples: readonly Sample[] }) {
  const { queue } = overview;
  const last = sampleOf(overview);
  const line = (of: (sample: Sample) => number) => samples.map(of);
  return (
    <section class="op-now" aria-label="Now">
      <Figure
        name="Waiting"
        value={number(queue.queued)}
        note={queue.oldest_seconds === null ? "nothing waits" : `the oldest for ${span(queue.oldest_seconds * 1000)}`}
        values={line(({ queued }) => queued)}
        kind="busy"
      />
      <Figure
        name="Running"
        value={number(queue.running)}
        note={queue.blocked > 0 ? `${number(queue.blocked)} held back by an account's limit` : "none held back"}
        values={line(({ running }) => running)}
      />
      <Figure
        name="Jobs"
        value={rate(last.jobs)}
        unit="per minute"
        note="over the last minute"
        values={line(({ jobs }) => jobs)}
      />
      <Figure
        name="Failures"
        value={rate(last.failures)}
        unit="per minute"
        note={last.jobs > 0 ? `${rate((100 * last.failures) / last.jobs)} % of all jobs` : "no job ended"}
        values={line(({ failures }) => failures)}
        kind="bad"
      />
      <Figure
        name="Requests"
        value={rate(last.requests)}
        unit="per second"
        note="over the last minute"
        values={line(({ requests }) => requests)}
      />
    </section>
  );
}

interface FigureProps {
  name: string;
  value: string;
  unit?: string;
  note: string;
  values: readonly number[];
  kind?: "accent" | "bad" | "busy";
}

function Figure({ name, value, unit, note, values, kind }: FigureProps) {
  return (
    <div class="card op-figure">
      <h2 class="op-figure-name">{name}</h2>
      <p>
        <span class="figure">{value}</span> {unit && <span class="muted small-text">{unit}</span>}
      </p>
      <Sparkline values={values} {...(kind && { kind })} />
      <p class="muted small-text figures">{note}</p>
    </div>
  );
}
