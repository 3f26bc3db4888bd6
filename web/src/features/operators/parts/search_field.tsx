// A text that a list is searched by: told a moment after the last key, at once with Enter; Escape clears it.
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../../ui/icon";

interface SearchFieldProps {
  label: string;
  value: string;
  change(value: string): void;
}

const pauseMs = 200;

export function SearchField({ label, value, change }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The address may change by other means: a link, or going back.
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = value;
  }, [value]);

  const tell = (afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => change(field.current?.value.trim() ?? ""), afterMs);
  };
  return (
    <div class="op-search">
      <Icon name="search" />
      <input
        ref={field}
        class="input"
        type="search"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        spellcheck={false}
        onInput={() => tell(pauseMs)}
        onKeyDown={(event) => {
          if (event.key === "Enter") tell(0);
          if (event.key === "Escape" && field.current) {
            field.current.value = "";
            tell(0);
          }
        }}
      />
    </div>
  );
}
