// A colour: written as the service takes it, or picked.
import { FieldFrame, helpId } from "./field_frame";
import type { FieldProps } from "./field_props";

export function ColourField({ path, name, schema, required, value, change, problems }: FieldProps<string>) {
  const fallback = typeof schema.default === "string" ? schema.default : undefined;
  const shown = value ?? fallback ?? "";
  return (
    <FieldFrame path={path} name={name} schema={schema} required={required} problem={problems.get(path)}>
      <span class="colour">
        <input
          type="color"
          aria-label={`${name}, by a picker`}
          value={/^#[0-9a-f]{6}$/i.test(shown) ? shown : "#ffffff"}
          onInput={(event) => change(event.currentTarget.value)}
        />
        <input
          id={path}
          class="input mono"
          value={value ?? ""}
          placeholder={fallback ?? "#rrggbb, or a name"}
          aria-describedby={helpId(path)}
          onInput={(event) => change(event.currentTarget.value || undefined)}
        />
      </span>
    </FieldFrame>
  );
}
