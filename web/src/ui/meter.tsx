// How much of something there is; the words beside it say the numbers.

interface MeterProps {
  value: number;
  most: number;
  label: string;
  kind?: "accent" | "bad" | "busy";
}

export function Meter({ value, most, label, kind = "accent" }: MeterProps) {
  const share = most > 0 ? Math.min(1, Math.max(0, value / most)) : 0;
  return (
    <span
      class={`meter meter-${kind}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={most}
      aria-valuenow={Math.min(value, most)}
    >
      <span class="meter-fill" style={{ width: `${share * 100}%` }} />
    </span>
  );
}
