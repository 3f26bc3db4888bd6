// Which features the account has, and what its key may do.
import type { AccountContext, Entitlement } from "../../api/types";

const features: Record<string, [string, string]> = {
  asset_pictures: ["Pictures of assets", "Viewers of the IIIF Image API show assets without a job."],
  cdn_delivery: ["Public tiles", "Tilesets have signed addresses that pages can use without a key."],
};

export function Entitlements({ account }: { account: AccountContext }) {
  const known = Object.values(account.entitlements);
  return (
    <>
      <h2>Features</h2>
      {known.length === 0 && <p class="muted">None beyond the plan.</p>}
      <ul class="stack">
        {known.map((entitlement) => (
          <Feature key={entitlement.feature_code} entitlement={entitlement} />
        ))}
      </ul>
      <h2>Key</h2>
      <p>
        {account.api_key.name}, of the role <b>{account.api_key.role_code}</b>
      </p>
      <ul class="permissions">
        {account.permissions.map((permission) => (
          <li key={permission} class="mono">
            {permission}
          </li>
        ))}
      </ul>
    </>
  );
}

function Feature({ entitlement }: { entitlement: Entitlement }) {
  const [name, text] = features[entitlement.feature_code] ?? [entitlement.feature_code, ""];
  return (
    <li>
      <p>
        <b>{name}</b>{" "}
        <span class={entitlement.enabled ? "good-text" : "muted"}>{entitlement.enabled ? "on" : "off"}</span>
        {entitlement.cancel_at_period_end && <span class="muted">, until the period ends</span>}
      </p>
      <p class="muted">{text}</p>
    </li>
  );
}
