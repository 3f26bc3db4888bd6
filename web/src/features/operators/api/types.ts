// The shapes of the operators' interface, as docs/internals/operators.md has them. A field without a value is null.
import type { Plan } from "../../../api/types";

export interface OperatorSession {
  id: string;
  operator: { id: string; name: string };
  created_at: string;
  last_used_at: string;
  expires_at: string;
  idle_expires_at: string;
  address: string;
  user_agent: string;
  current: boolean;
}

export const accountStates = ["active", "suspended", "being_erased", "erased"] as const;
export type AccountState = (typeof accountStates)[number];

export interface OperatedAccount {
  id: string;
  slug: string;
  display_name: string;
  plan: string;
  access_source: string;
  state: AccountState;
  suspended_at: string | null;
  plan_activated_at: string | null;
  created_at: string;
}

export interface Credits {
  used: number;
  remaining: number;
  limit: number;
}

export interface Period {
  starts_at: string;
  ends_at: string;
}

export interface Entitlement {
  feature_code: string;
  enabled: boolean;
  status: string;
  source: string | null;
  provider: string | null;
  add_on_code: string | null;
  cancel_at_period_end: boolean | null;
}

export interface AccountDetails extends OperatedAccount {
  entitlements: Entitlement[];
  usage: { period: Period; processing_credits: Credits; cdn_delivery_bytes: number };
  storage: { bytes: number; assets: number; max_bytes: number | null; max_assets: number | null };
  keys: { active: number; total: number };
}

export interface ApiKey {
  id: string;
  account: string;
  account_id: string;
  name: string;
  role_code: string;
  networks: string[];
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  state: "active" | "expired" | "revoked";
}

export interface IssuedKey extends ApiKey {
  api_key: string;
}

export interface Role {
  code: string;
  description: string;
  permissions: string[];
}

export interface OperatedPlan extends Plan {
  accounts: number;
}

export interface JobTally {
  operation: string;
  submitted: number;
  succeeded: number;
  failed: number;
  cancelled: number;
}

export interface Totals {
  jobs: JobTally[];
  processing_credits: number;
  uploads: number;
  uploaded_bytes: number;
  delivered_bytes: number;
}

export interface UsageHistory {
  from: string;
  to: string;
  days: (Totals & { date: string })[];
  totals: Totals;
}

export interface AccountUsage {
  id: string;
  slug: string;
  display_name: string;
  plan: string;
  state: AccountState;
  period: Period;
  processing_credits: Credits;
  cdn_delivery_bytes: number;
  storage: { bytes: number; assets: number };
}

export interface ErrorTally {
  code: string;
  count: number;
}

export interface ServiceNode {
  name: string;
  role: "api" | "worker" | "both";
  version: string;
  started_at: string;
  seen_at: string;
  alive: boolean;
  this_node: boolean;
  slots: number;
  jobs_in_hand: number;
  engines: { alive: number; busy: number; waiting: number; crashed: number };
  folds: { folded: number; failed: number };
  rates: { requests_per_second: number; jobs_per_minute: number; failures_per_minute: number };
  disks: { folder: string; free_bytes: number; size_bytes: number }[];
  errors: ErrorTally[];
  job_errors: ErrorTally[];
}

export interface Overview {
  version: string;
  at: string;
  database: string;
  blobs: string;
  queue: {
    queued: number;
    running: number;
    blocked: number;
    oldest_seconds: number | null;
    operations: { operation: string; queued: number; running: number; oldest_seconds: number | null }[];
  };
  nodes: ServiceNode[];
  storage: { bytes: number; assets: number };
  today: Totals;
  webhooks: { pending: number; oldest_seconds: number | null; active_endpoints: number; disabled_endpoints: number };
  accounts: { active: number; suspended: number; being_erased: number };
}

export interface Endpoint {
  id: string;
  account: string;
  account_id: string;
  url: string;
  description: string;
  events: string[];
  status: string;
  disabled_reason: string | null;
  disabled_at: string | null;
  created_at: string;
  failures: number;
  failing_since: string | null;
  paused_until: string | null;
  previous_secret_until: string | null;
}

export const deliveryStates = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface Delivery {
  id: string;
  endpoint_id: string;
  account_id: string;
  job_id: string | null;
  type: string;
  created_at: string;
  state: DeliveryState;
  attempts: number;
  next_attempt_at: string | null;
  last_status: number | null;
  last_error: string | null;
  last_attempt_at: string | null;
  ended_at: string | null;
}

export interface DeliveryDetails extends Delivery {
  body: unknown;
  log: {
    attempt: number;
    at: string;
    duration_ms: number;
    status: number | null;
    error: string | null;
    response: string | null;
  }[];
}

export interface AuditEntry {
  sequence: number;
  at: string;
  actor: string;
  action: string;
  account: string | null;
  account_id: string | null;
  subject: string | null;
  details: unknown;
}

export interface Setting {
  key: string;
  section: string;
  value: string;
  default: string;
  origin: string;
  secret: boolean;
  description: string;
}

export type Paged<Name extends string, T> = { [Key in Name]: T[] } & { next_cursor: string | null };
