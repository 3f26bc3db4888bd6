// Plain text.
import { FieldFrame, helpId } from "./field_frame";
import type { FieldProps } from "./field_props";

export function TextField({ path, name, schema, required, value, change, problems }: FieldProps<string>) {
  return (
    <FieldFrame path={path} name={name} schema={schema} required={required} problem={problems.get(path)}>
      <input
        id={path}
        class="input"
        value={value ?? ""}
        placeholder={typeof schema.default === "string" ? schema.default : ""}
        aria-describedby={helpId(path)}
        onInput={(event) => change(event.currentTarget.value || undefined)}
      />
    </FieldFrame>
  );
}
