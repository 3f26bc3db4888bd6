// One of a few values, all in sight.
import { useId } from "preact/hooks";

interface SegmentsProps<T extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  value: T;
  choices: readonly { value: T; name: string }[];
  choose(value: T): void;
}

export function Segments<T extends string>({ label, value, choices, choose }: SegmentsProps<T>) {
  const group = useId();
  return (
    <fieldset class="segments" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input type="radio" name={group} checked={choice.value === value} onChange={() => choose(choice.value)} />
          <span>{choice.name}</span>
        </label>
      ))}
    </fieldset>
  );
}
