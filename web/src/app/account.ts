// The account that the key belongs to: read after signing in, and again when something may have changed it.
import { effect, signal } from "@preact/signals";
import { readAccount } from "../api/calls";
import { onGap, onJob } from "../api/events";
import { key } from "../api/session";
import type { AccountContext, PlanLimits } from "../api/types";

export const account = signal<AccountContext | undefined>(undefined);

let timer = 0;

/** Soon, and once for many reasons: credits follow jobs, and one request tells of all of them. */
export function refreshAccount(soonMs = 600): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    if (!key.peek()) return;
    readAccount().then(
      (read) => {
        account.value = read;
      },
      () => undefined, // what is shown stays; the line at the top tells that the service is away
    );
  }, soonMs);
}

export function followAccount(): void {
  effect(() => {
    if (!key.value) {
      account.value = undefined;
      return;
    }
    if (!account.peek()) refreshAccount(0);
  });
  onJob((job) => {
    if (job.status === "queued" || job.status === "succeeded" || job.status === "failed") refreshAccount();
  });
  onGap(() => refreshAccount());
}

/** A limit of the plan, where it has one. */
export function limitOf(name: keyof PlanLimits): number | undefined {
  return account.value?.quotas[name]?.limit;
}

/** Whether the key's role allows it. */
export function may(permission: string): boolean {
  return account.value?.permissions.includes(permission) ?? true;
}
