// The calls that operators' pages make, one line each.
import { type DeskAsk, desk } from "./desk";
import type {
  AccountDetails,
  AccountUsage,
  ApiKey,
  AuditEntry,
  Delivery,
  DeliveryDetails,
  Endpoint,
  Entitlement,
  IssuedKey,
  OperatedAccount,
  OperatedPlan,
  OperatorSession,
  Overview,
  Paged,
  Role,
  Setting,
  UsageHistory,
} from "./types";

type Signal = Pick<DeskAsk, "signal">;
type Page = { limit?: number; cursor?: string };
const post = <T>(path: string, body?: unknown) => desk<T>(path, { method: "POST", body });

export const signIn = (name: string, password: string) => post<OperatorSession>("session", { name, password });
export const readSession = (ask: Signal = {}) => desk<OperatorSession>("session", ask);
export const signOut = () => desk<void>("session", { method: "DELETE" });
export const signOutEverywhere = () => desk<void>("sessions", { method: "DELETE" });
export const listSessions = (ask: Signal = {}) => desk<{ sessions: OperatorSession[] }>("sessions", ask);
export const revokeSession = (id: string) => desk<void>(`sessions/${id}`, { method: "DELETE" });
export const changePassword = (current_password: string, new_password: string) =>
  desk<void>("password", { method: "PUT", body: { current_password, new_password } });

export const listAccounts = (query: Page & { q?: string; state?: string; plan?: string }, ask: Signal = {}) =>
  desk<Paged<"accounts", OperatedAccount>>("accounts", { query, ...ask });
export const createAccount = (body: { slug: string; display_name: string; plan: string }) =>
  post<OperatedAccount>("accounts", body);
export const readAccountDetails = (id: string, ask: Signal = {}) => desk<AccountDetails>(`accounts/${id}`, ask);
export const suspendAccount = (id: string) => post<OperatedAccount>(`accounts/${id}/suspend`);
export const resumeAccount = (id: string) => post<OperatedAccount>(`accounts/${id}/resume`);
export const changePlan = (id: string, plan: string) =>
  desk<OperatedAccount>(`accounts/${id}/plan`, { method: "PUT", body: { plan } });
export const changeEntitlement = (id: string, feature: string, enabled: boolean) =>
  desk<Entitlement>(`accounts/${id}/entitlements/${feature}`, { method: "PUT", body: { enabled } });
export const eraseAccount = (id: string, confirm: string) => post<OperatedAccount>(`accounts/${id}/erase`, { confirm });
export const readAccountUsage = (id: string, ask: Signal = {}) =>
  desk<UsageHistory>(`accounts/${id}/usage`, { query: { days: 30 }, ...ask });

export const listKeys = (account: string, ask: Signal = {}) =>
  desk<{ keys: ApiKey[] }>(`accounts/${account}/keys`, ask);
export interface KeyWanted {
  name: string;
  role_code?: string;
  expires_at?: string;
  networks?: string[];
}
export const issueKey = (account: string, wanted: KeyWanted) => post<IssuedKey>(`accounts/${account}/keys`, wanted);
export const revokeKey = (id: string) => post<ApiKey>(`keys/${id}/revoke`);

export const listPlans = (ask: Signal = {}) => desk<{ plans: OperatedPlan[] }>("plans", ask);
export const listRoles = (ask: Signal = {}) => desk<{ roles: Role[] }>("roles", ask);
export const listUsage = (query: Page & { q?: string }, ask: Signal = {}) =>
  desk<Paged<"accounts", AccountUsage>>("usage", { query, ...ask });
export const readOverview = (ask: Signal = {}) => desk<Overview>("overview", ask);

export const listEndpoints = (query: { account_id?: string }, ask: Signal = {}) =>
  desk<{ endpoints: Endpoint[] }>("webhook-endpoints", { query, ...ask });
export const enableEndpoint = (id: string) => post<Endpoint>(`webhook-endpoints/${id}/enable`);
export const disableEndpoint = (id: string) => post<Endpoint>(`webhook-endpoints/${id}/disable`);
export const listDeliveries = (
  query: Page & { account_id?: string; endpoint_id?: string; state?: string },
  ask: Signal = {},
) => desk<Paged<"deliveries", Delivery>>("webhook-deliveries", { query, ...ask });
export const readDelivery = (id: string, ask: Signal = {}) => desk<DeliveryDetails>(`webhook-deliveries/${id}`, ask);
export const replayDelivery = (id: string) => post<Delivery>(`webhook-deliveries/${id}/replay`);

export const listAudit = (query: Page & { account_id?: string }, ask: Signal = {}) =>
  desk<Paged<"entries", AuditEntry>>("audit", { query, ...ask });
export const readConfiguration = (ask: Signal = {}) => desk<{ settings: Setting[] }>("configuration", ask);
