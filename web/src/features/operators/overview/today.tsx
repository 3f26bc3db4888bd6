// What was done since midnight, of all accounts.
import { bytes, count, number } from "../../../ui/format";
import type { Totals } from "../api/types";

export function Today({ today }: { today: Totals }) {
  return (
    <section class="card card-part stack" aria-label="Today">
      <div class="row">
        <h2>Today</h2>
        <span class="muted small-text push">since midnight, UTC</span>
      </div>
      <dl class="op-facts-row">
        <div>
          <dt>Credits</dt>
          <dd>{number(today.processing_credits)}</dd>
        </div>
        <div>
          <dt>Uploaded</dt>
          <dd title={count(today.uploads, "upload")}>{bytes(today.uploaded_bytes)}</dd>
        </div>
        <div>
          <dt>Delivered</dt>
          <dd>{bytes(today.delivered_bytes)}</dd>
        </div>
      </dl>
      {today.jobs.length === 0 && <p class="muted">No job was submitted yet.</p>}
      {today.jobs.length > 0 && (
        <table class="op-plain">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col" class="op-figures">
                Submitted
              </th>
              <th scope="col" class="op-figures">
                Succeeded
              </th>
              <th scope="col" class="op-figures">
                Failed
              </th>
            </tr>
          </thead>
          <tbody>
            {today.jobs.map(({ operation, submitted, succeeded, failed }) => (
              <tr key={operation}>
                <th scope="row">{operation}</th>
                <td class="op-figures">{number(submitted)}</td>
                <td class="op-figures">{number(succeeded)}</td>
                <td class={`op-figures ${failed > 0 ? "bad-text" : ""}`}>{number(failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
