// Storage, accounts and webhooks in a few words, each with the way to its page.
import { href } from "../../../app/router";
import { bytes, count, number, span } from "../../../ui/format";
import type { Overview } from "../api/types";

export function Stored({ overview }: { overview: Overview }) {
  const { storage, accounts, webhooks } = overview;
  return (
    <section class="card card-part stack" aria-label="Storage, accounts, webhooks">
      <h2>Storage, accounts, webhooks</h2>
      <dl class="facts">
        <dt>Stored</dt>
        <dd>
          {bytes(storage.bytes)} <span class="muted">in {count(storage.assets, "asset")}</span>
        </dd>
        <dt>Accounts</dt>
        <dd>
          <a href={href("/operators/accounts")}>{number(accounts.active)} active</a>
          {accounts.suspended > 0 && (
            <>
              , <a href={href("/operators/accounts", { state: "suspended" })}>{number(accounts.suspended)} suspended</a>
            </>
          )}
          {accounts.being_erased > 0 && (
            <>
              ,{" "}
              <a href={href("/operators/accounts", { state: "being_erased" })}>
                {number(accounts.being_erased)} being erased
              </a>
            </>
          )}
        </dd>
        <dt>Webhooks</dt>
        <dd>
          <a href={href("/operators/webhooks")}>{count(webhooks.active_endpoints, "endpoint")}</a>
          {webhooks.disabled_endpoints > 0 && (
            <span class="bad-text">, {number(webhooks.disabled_endpoints)} disabled</span>
          )}
        </dd>
        <dt>Deliveries</dt>
        <dd>
          {webhooks.pending === 0 ? (
            "none wait"
          ) : (
            <a href={href("/operators/webhooks", { state: "pending" })}>
              {count(webhooks.pending, "delivery waits", "deliveries wait")}
            </a>
          )}
          {webhooks.oldest_seconds !== null && (
            <span class="muted">, the oldest for {span(webhooks.oldest_seconds * 1000)}</span>
          )}
        </dd>
      </dl>
    </section>
  );
}
