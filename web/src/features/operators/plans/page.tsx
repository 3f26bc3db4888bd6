// Plans side by side: what they cost, what they hold, and how many accounts are on each.
import type { ComponentChildren } from "preact";
import { useResource } from "../../../app/resource";
import { href } from "../../../app/router";
import { useTitle } from "../../../app/title";
import { EmptyState } from "../../../ui/empty_state";
import { ErrorCard } from "../../../ui/error_card";
import { number } from "../../../ui/format";
import { Skeleton } from "../../../ui/skeleton";
import { listPlans } from "../api/calls";
import type { OperatedPlan } from "../api/types";
import { Pill } from "../parts/pill";
import { limitRows } from "./limits";

const price = ({ billing_amount_minor, billing_interval }: OperatedPlan) =>
  billing_amount_minor === 0 ? "free" : `${number(billing_amount_minor / 100)} ${billing_interval}`;

export default function PlansPage() {
  useTitle("Plans");
  const read = useResource("plans", (signal) => listPlans({ signal }));
  if (read.error !== undefined)
    return <ErrorCard title="Plans could not be read" error={read.error} retry={read.reload} />;
  if (!read.value) return <Skeleton rows={8} />;
  const { plans } = read.value;
  if (plans.length === 0) return <EmptyState title="No plans" text="This service was set up without any." />;
  const limits = limitRows.filter(([name]) => plans.some((plan) => plan.limits[name] !== undefined));
  return (
    <div class="card op-table-frame">
      <table class="op-table op-plans" aria-label="Plans">
        <thead>
          <tr>
            <td />
            {plans.map((plan) => (
              <th key={plan.code} scope="col">
                <span class="op-plan-name">{plan.display_name}</span>
                <span class="muted small-text op-below">{plan.description}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <PlanRow
            name="Accounts"
            plans={plans}
            cell={(plan) => <a href={href("/operators/accounts", { plan: plan.code })}>{number(plan.accounts)}</a>}
          />
          <PlanRow name="Code" plans={plans} cell={(plan) => <span class="mono">{plan.code}</span>} />
          <PlanRow
            name="Offered"
            plans={plans}
            cell={(plan) => (
              <>
                <Pill tone={plan.status === "active" ? "good" : "quiet"}>{plan.status}</Pill>{" "}
                {!plan.is_public && <span class="muted small-text">not public</span>}
              </>
            )}
          />
          <PlanRow name="Price" plans={plans} cell={price} />
          <PlanRow name="Credits of a period" plans={plans} cell={(plan) => number(plan.included_processing_credits)} />
          {limits.map(([name, words, say]) => (
            <PlanRow
              key={name}
              name={words}
              plans={plans}
              cell={(plan) => {
                const limit = plan.limits[name];
                return limit === undefined ? <span class="muted">no limit of its own</span> : say(limit);
              }}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PlanRowProps {
  name: string;
  plans: readonly OperatedPlan[];
  cell(plan: OperatedPlan): ComponentChildren;
}

function PlanRow({ name, plans, cell }: PlanRowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {plans.map((plan) => (
        <td key={plan.code}>{cell(plan)}</td>
      ))}
    </tr>
  );
}
