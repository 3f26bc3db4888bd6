// One of the values that the schema lists.

import { FieldFrame, helpId } from "./field_frame";
import type { FieldProps } from "./field_props";

export function ChoiceField({ path, name, schema, required, value, change, problems }: FieldProps<string>) {
  return (
    <FieldFrame path={path} name={name} schema={schema} required={required} problem={problems.get(path)}>
      <select
        id={path}
        class="input"
        aria-describedby={helpId(path)}
        value={value ?? ""}
        onChange={(event) => change(event.currentTarget.value || undefined)}
      >
        <option value="">
          {typeof schema.default === "string" ? `${schema.default} (unless told)` : "as the service chooses"}
        </option>
        {(schema.enum ?? []).map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
