// Yes or no.
import { nameOf } from "../values";
import { helpId } from "./field_frame";
import type { FieldProps } from "./field_props";

export function BooleanField({ path, name, schema, value, change }: FieldProps<boolean>) {
  return (
    <div class="field">
      <label class="check" for={path}>
        <input
          id={path}
          type="checkbox"
          checked={value ?? schema.default === true}
          aria-describedby={helpId(path)}
          onChange={(event) =>
            change(event.currentTarget.checked === (schema.default === true) ? undefined : event.currentTarget.checked)
          }
        />
        <span>{nameOf(name)}</span>
      </label>
      <p id={helpId(path)} class="field-help">
        {schema.description}
      </p>
    </div>
  );
}
