// One of the values that the schema lists.
import type { Schema } from "../../../api/operations";
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
        <option value="">{unset(schema)}</option>
        {(schema.enum ?? []).map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** The document says in words what a value that is left to the service depends on. */
function unset({ default: fallback, description }: Schema): string {
  if (typeof fallback === "string") return `${fallback} (unless told)`;
  return description?.includes("Default:") ? "as the service chooses" : "not set";
}
