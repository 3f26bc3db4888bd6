// Features beyond the plan, as switches. A switch shows what was wanted at once, and goes back when it is refused.
import { useState } from "preact/hooks";
import { changeEntitlement } from "../api/calls";
import type { AccountDetails } from "../api/types";
import { Switch } from "../parts/switch";
import { tellFailure } from "../parts/tell_failure";

const features: Record<string, [string, string]> = {
  asset_pictures: ["Pictures of assets", "Viewers of the IIIF Image API show assets without a job."],
  cdn_delivery: ["Public tiles", "Tilesets have signed addresses that pages can use without a key."],
};

interface EntitlementPartProps {
  account: AccountDetails;
  set(next: AccountDetails): void;
}

export function EntitlementPart({ account, set }: EntitlementPartProps) {
  const [wanted, setWanted] = useState<Record<string, boolean>>({});

  async function change(code: string, enabled: boolean) {
    setWanted({ ...wanted, [code]: enabled });
    try {
      const told = await changeEntitlement(account.id, code, enabled);
      set({
        ...account,
        entitlements: account.entitlements.map((old) => (old.feature_code === code ? told : old)),
      });
    } catch (error) {
      tellFailure(error);
    } finally {
      setWanted(({ [code]: _, ...others }) => others);
    }
  }

  return (
    <section class="card card-part stack" aria-label="Features">
      <h2>Features</h2>
      {account.entitlements.length === 0 && <p class="muted">This service has none beyond its plans.</p>}
      <ul class="stack">
        {account.entitlements.map(({ feature_code, enabled, source, cancel_at_period_end }) => {
          const [name, text] = features[feature_code] ?? [feature_code, ""];
          return (
            <li key={feature_code} class="op-feature">
              <div>
                <p>
                  <b>{name}</b>
                </p>
                <p class="muted small-text">
                  {text}
                  {enabled && source && ` Granted by: ${source}.`}
                  {cancel_at_period_end && " Ends with the period."}
                </p>
              </div>
              <Switch
                label={name}
                on={wanted[feature_code] ?? enabled}
                disabled={feature_code in wanted}
                change={(on) => void change(feature_code, on)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
