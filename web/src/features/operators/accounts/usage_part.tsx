// What the account uses of what it may.
import { bytes, number } from "../../../ui/format";
import { Meter } from "../../../ui/meter";
import { When } from "../../../ui/when";
import type { AccountDetails } from "../api/types";

export function UsagePart({ account }: { account: AccountDetails }) {
  const { usage, storage } = account;
  const { used, limit } = usage.processing_credits;
  return (
    <section class="op-figures-row" aria-label="Usage">
      <div class="card op-figure">
        <h2 class="op-figure-name">Credits used</h2>
        <p>
          <span class="figure">{number(used)}</span> <span class="muted small-text">of {number(limit)}</span>
        </p>
        <Meter value={used} most={limit} label="Credits used" kind={used >= limit ? "bad" : "accent"} />
        <p class="muted small-text">
          new ones <When at={usage.period.ends_at} />
        </p>
      </div>
      <div class="card op-figure">
        <h2 class="op-figure-name">Stored</h2>
        <p>
          <span class="figure">{bytes(storage.bytes)}</span>{" "}
          {storage.max_bytes !== null && <span class="muted small-text">of {bytes(storage.max_bytes)}</span>}
        </p>
        {storage.max_bytes !== null && (
          <Meter
            value={storage.bytes}
            most={storage.max_bytes}
            label="Storage used"
            kind={storage.bytes >= storage.max_bytes ? "bad" : "accent"}
          />
        )}
        <p class="muted small-text figures">
          {number(storage.assets)}
          {storage.max_assets !== null && ` of ${number(storage.max_assets)}`} assets
        </p>
      </div>
      <div class="card op-figure">
        <h2 class="op-figure-name">Delivered</h2>
        <p class="figure">{bytes(usage.cdn_delivery_bytes)}</p>
        <p class="muted small-text">through public addresses, in this period</p>
      </div>
    </section>
  );
}
