// What is known of the account, and where more of it is.
import { href } from "../../../app/router";
import { CopyButton } from "../../../ui/copy_button";
import { When } from "../../../ui/when";
import type { AccountDetails } from "../api/types";
import { WhenSet } from "../parts/when_set";

export function FactPart({ account }: { account: AccountDetails }) {
  return (
    <section class="card card-part stack" aria-label="Account">
      <h2>Account</h2>
      <dl class="facts">
        <dt>Id</dt>
        <dd class="op-id">
          <span class="mono">{account.id}</span>
          <CopyButton text={account.id} label="Copy the id" />
        </dd>
        <dt>Created</dt>
        <dd>
          <When at={account.created_at} />
        </dd>
        <dt>On this plan</dt>
        <dd>
          <WhenSet at={account.plan_activated_at} none="not yet" />
        </dd>
        <dt>Access by</dt>
        <dd>{account.access_source}</dd>
        {account.suspended_at && (
          <>
            <dt>Suspended</dt>
            <dd>
              <When at={account.suspended_at} />
            </dd>
          </>
        )}
      </dl>
      <div class="actions">
        <a class="button" href={href("/operators/audit", { account_id: account.id })}>
          Audit trail
        </a>
        <a class="button" href={href("/operators/webhooks", { account_id: account.id })}>
          Webhooks
        </a>
      </div>
    </section>
  );
}
