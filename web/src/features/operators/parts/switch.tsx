// On or off, at once. While the service is asked it shows what was wanted.
interface SwitchProps {
  label: string;
  on: boolean;
  disabled?: boolean;
  change(on: boolean): void;
}

export function Switch({ label, on, disabled = false, change }: SwitchProps) {
  return (
    <button
      type="button"
      class="op-switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      onClick={() => change(!on)}
    >
      <span class="op-switch-track" aria-hidden="true" />
      <span aria-hidden="true">{on ? "on" : "off"}</span>
    </button>
  );
}
