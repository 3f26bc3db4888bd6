// Usage: what is left of the period, how it went day by day, and what the plan holds, in words.
import { readPlans } from "../../api/calls";
import { ApiError } from "../../api/errors";
import { request } from "../../api/request";
import { account } from "../../app/account";
import { useResource } from "../../app/resource";
import { useTitle } from "../../app/title";
import { DayChart } from "../../ui/day_chart";
import { ErrorCard } from "../../ui/error_card";
import { bytes, number } from "../../ui/format";
import { Meter } from "../../ui/meter";
import { Skeleton } from "../../ui/skeleton";
import type { UsageDays } from "./days";
import { Entitlements } from "./entitlements";
import { LimitList } from "./limit_list";
import styles from "./page.css?url";

export { styles };

export default function UsagePage() {
  useTitle("Usage");
  const history = useResource("usage", (signal) => request<UsageDays>("v1/usage", { query: { days: 30 }, signal }));
  const plans = useResource("plans", (signal) => readPlans({ signal }));
  const who = account.value;
  if (!who) return <Skeleton rows={5} />;
  const { used, remaining, limit } = who.usage.processing_credits;
  const plan = plans.value?.plans.find(({ code }) => code === who.plan.code);
  // A service that is older than this page keeps no history.
  const noHistory = history.error instanceof ApiError && history.error.status === 404;
  const totals = history.value?.totals;
  return (
    <div class="stack">
      <section class="usage-figures" aria-label="This period">
        <div class="card card-part stack tight">
          <h2>Credits</h2>
          <p>
            <span class="figure">{number(remaining)}</span> <span class="muted figures">of {number(limit)} left</span>
          </p>
          <Meter value={used} most={limit} label="Credits used" kind={used >= limit ? "bad" : "accent"} />
          <p class="muted figures">{number(used)} used in this period of 30 days</p>
        </div>
        <div class="card card-part stack tight">
          <h2>Delivered tiles</h2>
          <p class="figure">{bytes(who.usage.cdn_delivery_bytes.used)}</p>
          <p class="muted">through public addresses, in this period</p>
        </div>
        {totals && (
          <div class="card card-part stack tight">
            <h2>Uploads</h2>
            <p class="figure">{number(totals.uploads)}</p>
            <p class="muted figures">{bytes(totals.uploaded_bytes)} in the last 30 days</p>
          </div>
        )}
      </section>
      {history.value && <DayChart days={history.value.days} />}
      {history.error !== undefined && !noHistory && (
        <ErrorCard title="The history could not be read" error={history.error} retry={history.reload} />
      )}
      <div class="usage-plan">
        <section class="card card-part stack" aria-label="Plan">
          <div class="stack tight">
            <h2>{who.plan.display_name}</h2>
            {plan && <p class="muted">{plan.description}</p>}
          </div>
          <LimitList quotas={who.quotas} />
        </section>
        <section class="card card-part stack" aria-label="Features and key">
          <Entitlements account={who} />
        </section>
      </div>
    </div>
  );
}
