// The last thirty days of the account: credits as bars, and all of it as a table.
import { useResource } from "../../../app/resource";
import { ErrorCard } from "../../../ui/error_card";
import { bytes, number } from "../../../ui/format";
import { readAccountUsage } from "../api/calls";
import type { UsageHistory } from "../api/types";

type Day = UsageHistory["days"][number];
const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const dateOf = (day: Day) => short.format(new Date(`${day.date}T00:00:00Z`));
const jobsOf = (day: Day) => day.jobs.reduce((sum, { submitted }) => sum + submitted, 0);

export function HistoryPart({ id }: { id: string }) {
  const read = useResource(id, (signal) => readAccountUsage(id, { signal }));
  if (read.error !== undefined) {
    return <ErrorCard title="The history could not be read" error={read.error} retry={read.reload} />;
  }
  if (!read.value) return null;
  const { days } = read.value;
  const most = Math.max(0, ...days.map((day) => day.processing_credits));
  const [first, last] = [days[0], days.at(-1)];
  return (
    <section class="card card-part stack" aria-label="Day by day">
      <div class="row">
        <h2>Credits, last {days.length} days</h2>
        <span class="muted small-text push figures">{most > 0 ? `at most ${number(most)} a day` : "none yet"}</span>
      </div>
      <div>
        <div class="op-bars" aria-hidden="true">
          {days.map((day) => (
            <div key={day.date} title={`${dateOf(day)}: ${number(day.processing_credits)} credits`}>
              {day.processing_credits > 0 && (
                <span style={{ height: `${most > 0 ? (day.processing_credits / most) * 100 : 0}%` }} />
              )}
            </div>
          ))}
        </div>
        <p class="op-between muted small-text">
          <span>{first && dateOf(first)}</span>
          <span>{last && dateOf(last)}</span>
        </p>
      </div>
      <details>
        <summary class="muted">As a table</summary>
        <table class="op-plain">
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col" class="op-figures">
                Credits
              </th>
              <th scope="col" class="op-figures">
                Jobs
              </th>
              <th scope="col" class="op-figures">
                Uploaded
              </th>
              <th scope="col" class="op-figures">
                Delivered
              </th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map((day) => (
              <tr key={day.date}>
                <th scope="row">{dateOf(day)}</th>
                <td class="op-figures">{number(day.processing_credits)}</td>
                <td class="op-figures">{number(jobsOf(day))}</td>
                <td class="op-figures">{bytes(day.uploaded_bytes)}</td>
                <td class="op-figures">{bytes(day.delivered_bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
