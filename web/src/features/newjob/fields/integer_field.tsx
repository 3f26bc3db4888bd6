// A number, whole or not: one of a few, or typed in; with a slider where the range is small.

import { FieldFrame, helpId } from "./field_frame";
import type { FieldProps } from "./field_props";

export function IntegerField({ path, name, schema, required, value, change, problems }: FieldProps<number>) {
  const problem = problems.get(path);
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  const slides = maximum - minimum <= 100;
  const isWhole = schema.type === "integer";
  const read = (text: string) => change(text === "" ? undefined : Number(text));
  const fallback = typeof schema.default === "number" ? schema.default : undefined;
  return (
    <FieldFrame path={path} name={name} schema={schema} required={required} problem={problem}>
      {schema.enum ? (
        <select
          id={path}
          class="input"
          aria-describedby={helpId(path)}
          value={value ?? ""}
          onChange={(event) => read(event.currentTarget.value)}
        >
          <option value="">{fallback === undefined ? "not set" : `${fallback} (unless told)`}</option>
          {schema.enum.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      ) : (
        <span class="number">
          <input
            id={path}
            class="input"
            type="number"
            inputMode={isWhole ? "numeric" : "decimal"}
            step={isWhole ? 1 : "any"}
            min={minimum}
            max={maximum}
            placeholder={fallback === undefined ? "" : String(fallback)}
            value={value ?? ""}
            aria-describedby={helpId(path)}
            aria-invalid={problem !== undefined}
            onInput={(event) => read(event.currentTarget.value)}
          />
          {slides && (
            <input
              type="range"
              step={isWhole ? 1 : (maximum - minimum) / 100}
              min={minimum}
              max={maximum}
              value={value ?? fallback ?? minimum}
              aria-label={`${name}, by a slider`}
              onInput={(event) => read(event.currentTarget.value)}
            />
          )}
        </span>
      )}
    </FieldFrame>
  );
}
