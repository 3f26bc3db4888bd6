// A bar for each day, of one measure at a time; a table of the same numbers for those who do not see bars.
import { useState } from "preact/hooks";
import { bytes, number } from "./format";
import { Segments } from "./segments";

/** What happened on a day, as the service tells it. */
export interface Day {
  date: string;
  jobs: { submitted: number }[];
  processing_credits: number;
  uploaded_bytes: number;
  delivered_bytes: number;
}

const jobsOf = (day: Day) => day.jobs.reduce((sum, { submitted }) => sum + submitted, 0);

const measures = [
  { value: "credits", name: "Credits", of: (day: Day) => day.processing_credits, words: number },
  { value: "jobs", name: "Jobs", of: jobsOf, words: number },
  { value: "uploaded", name: "Uploaded", of: (day: Day) => day.uploaded_bytes, words: bytes },
  { value: "delivered", name: "Delivered", of: (day: Day) => day.delivered_bytes, words: bytes },
] as const;

type Measure = (typeof measures)[number]["value"];
const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const dateOf = (day: Day) => short.format(new Date(`${day.date}T00:00:00Z`));

export function DayChart({ days }: { days: readonly Day[] }) {
  const [chosen, choose] = useState<Measure>("credits");
  const measure = measures.find(({ value }) => value === chosen) ?? measures[0];
  const values = days.map(measure.of);
  const most = Math.max(0, ...values);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <section class="card card-part stack" aria-label="Day by day">
      <div class="row">
        <h2>Last {days.length} days</h2>
        <span class="push" />
        <Segments label="Measure" value={chosen} choices={measures} choose={(value) => choose(value)} />
      </div>
      <div class="chart">
        <p class="chart-most muted small-text figures">{most > 0 ? measure.words(most) : "nothing yet"}</p>
        <div class="chart-bars" aria-hidden="true">
          {days.map((day, index) => {
            const value = values[index] ?? 0;
            return (
              <div key={day.date} class="chart-day" title={`${dateOf(day)}: ${measure.words(value)}`}>
                <span
                  class={value > 0 ? "chart-bar" : "chart-none"}
                  style={{ height: `${most > 0 ? Math.max(0, (value / most) * 100) : 0}%` }}
                />
              </div>
            );
          })}
        </div>
        <p class="chart-ends muted small-text">
          <span>{first && dateOf(first)}</span>
          <span>{last && dateOf(last)}</span>
        </p>
      </div>
      <details>
        <summary class="muted">As a table</summary>
        <div class="chart-table">
          <table>
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                {measures.map(({ value, name }) => (
                  <th key={value} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...days].reverse().map((day) => (
                <tr key={day.date}>
                  <th scope="row">{dateOf(day)}</th>
                  {measures.map(({ value, of, words }) => (
                    <td key={value}>{words(of(day))}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}
