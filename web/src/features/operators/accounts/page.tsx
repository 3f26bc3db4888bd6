// One account: what it uses, its keys, its plan and features, and what can be done to it.
import { useEffect } from "preact/hooks";
import { isNotFound } from "../../../api/errors";
import { useResource } from "../../../app/resource";
import { href } from "../../../app/router";
import { useTitle } from "../../../app/title";
import { EmptyState } from "../../../ui/empty_state";
import { ErrorCard } from "../../../ui/error_card";
import { Skeleton } from "../../../ui/skeleton";
import { readAccountDetails } from "../api/calls";
import type { OperatedAccount } from "../api/types";
import { AccountHead } from "./account_head";
import { EntitlementPart } from "./entitlement_part";
import { FactPart } from "./fact_part";
import { HistoryPart } from "./history_part";
import { KeyPart } from "./key_part";
import { PlanPart } from "./plan_part";
import { UsagePart } from "./usage_part";

const above = { name: "Accounts", href: href("/operators/accounts") };
const eraseLookMs = 1_500;

export default function AccountPage({ id }: { id: string }) {
  const read = useResource(id, (signal) => readAccountDetails(id, { signal }));
  const account = read.value;
  useTitle(account?.display_name ?? "Account", above);

  // Erasing takes as long as there is something to delete; the page follows it.
  const isBeingErased = account?.state === "being_erased";
  useEffect(() => {
    if (!isBeingErased) return;
    const timer = setInterval(read.reload, eraseLookMs);
    return () => clearInterval(timer);
  }, [isBeingErased, read.reload]);

  if (!account) {
    if (isNotFound(read.error)) {
      return (
        <EmptyState title="There is no such account" text={`No account has the id ${id}.`}>
          <a class="button primary" href={above.href}>
            Show all accounts
          </a>
        </EmptyState>
      );
    }
    if (read.error !== undefined) {
      return <ErrorCard title="The account could not be read" error={read.error} retry={read.reload} />;
    }
    return <Skeleton rows={6} />;
  }
  const changed = (next: OperatedAccount) => read.set({ ...account, ...next });
  const isGone = account.state === "erased" || account.state === "being_erased";
  return (
    <div class="stack">
      <AccountHead account={account} changed={changed} />
      {account.state === "suspended" && (
        <p class="op-refused" role="status">
          Suspended: its keys are refused, its jobs wait. Nothing is deleted.
        </p>
      )}
      {isBeingErased && (
        <p class="op-refused" role="status">
          Being erased: its files and records are deleted, bit by bit. This page follows it.
        </p>
      )}
      <div class="split">
        <div class="stack">
          <UsagePart account={account} />
          <KeyPart account={account} reloadAccount={read.reload} />
          {!isGone && <HistoryPart id={id} />}
        </div>
        <div class="stack">
          <PlanPart account={account} changed={read.reload} />
          {!isGone && <EntitlementPart account={account} set={read.set} />}
          <FactPart account={account} />
        </div>
      </div>
    </div>
  );
}
