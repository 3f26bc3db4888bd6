// The plan, and another one: which begins a new billing period, so it is asked for first.
import { useState } from "preact/hooks";
import { ask } from "../../../app/dialogs";
import { useResource } from "../../../app/resource";
import { href } from "../../../app/router";
import { number } from "../../../ui/format";
import { changePlan, listPlans } from "../api/calls";
import type { AccountDetails } from "../api/types";

interface PlanPartProps {
  account: AccountDetails;
  changed(): void;
}

export function PlanPart({ account, changed }: PlanPartProps) {
  const plans = useResource("plans", (signal) => listPlans({ signal })).value?.plans ?? [];
  const [chosen, choose] = useState<string>();
  const current = plans.find(({ code }) => code === account.plan);
  const offered = plans.filter(({ code, status }) => status === "active" || code === account.plan);
  const isLocked = account.state === "being_erased" || account.state === "erased";

  async function change(code: string) {
    const plan = plans.find((one) => one.code === code);
    choose(code);
    const done = await ask({
      title: `Change the plan to ${plan?.display_name ?? code}`,
      text: `A new billing period begins now, with ${number(plan?.included_processing_credits ?? 0)} credits. The limits of the new plan apply at once.`,
      action: "Change the plan",
      run: async () => void (await changePlan(account.id, code)),
    });
    choose(undefined);
    if (done) changed();
  }

  return (
    <section class="card card-part stack" aria-label="Plan">
      <div class="row">
        <h2>Plan</h2>
        <a class="push small-text" href={href("/operators/plans")}>
          All plans
        </a>
      </div>
      <select
        class="input"
        aria-label="Plan of this account"
        value={chosen ?? account.plan}
        disabled={isLocked || plans.length === 0}
        onChange={(event) => void change(event.currentTarget.value)}
      >
        {offered.length === 0 && <option value={account.plan}>{account.plan}</option>}
        {offered.map(({ code, display_name }) => (
          <option key={code} value={code}>
            {display_name}
          </option>
        ))}
      </select>
      {current && <p class="muted">{current.description}</p>}
    </section>
  );
}
