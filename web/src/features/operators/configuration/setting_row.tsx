// One setting: its name, what it is, and what it would be.
import type { Setting } from "../api/types";
import { Pill } from "../parts/pill";
import { differs } from "./settings";

export function SettingRow({ setting }: { setting: Setting }) {
  const { key, value, default: initial, origin, secret, description } = setting;
  const isChanged = differs(setting);
  return (
    <li class="op-setting">
      <div class="op-setting-name">
        <p class="mono">{key}</p>
        <p class="muted small-text">{description}</p>
      </div>
      <div class="op-setting-value">
        <p class={`mono ${isChanged ? "op-changed" : "muted"}`}>{value === "" ? "not set" : value}</p>
        {isChanged && (
          <p class="muted small-text">
            {!secret && (
              <>
                default <span class="mono">{initial === "" ? "not set" : initial}</span>,{" "}
              </>
            )}
            from {origin}
          </p>
        )}
      </div>
      <div class="op-setting-mark">{isChanged && <Pill tone="busy">{secret ? "set" : "changed"}</Pill>}</div>
    </li>
  );
}
