// A group of fields. One that may be left out, and needs something otherwise, is a line until it is added.
import { Icon } from "../../../ui/icon";
import { nameOf, type Options } from "../values";
import type { FieldProps } from "./field_props";
import { SchemaFields } from "./schema_fields";

export function ObjectField({ path, name, schema, required, value, change, problems }: FieldProps<Options>) {
  const title = nameOf(name);
  const isAdded = !required && (schema.required ?? []).length > 0;
  const isThere = !isAdded || value !== undefined;
  return (
    <fieldset class="group">
      <legend class="field-name">{title}</legend>
      {isAdded && (
        <button
          type="button"
          class="button small group-switch"
          aria-label={isThere ? `Leave out ${title.toLowerCase()}` : `Add ${title.toLowerCase()}`}
          aria-expanded={isThere}
          onClick={() => change(isThere ? undefined : {})}
        >
          <Icon name={isThere ? "trash" : "plus"} />
          {isThere ? "Leave out" : "Add"}
        </button>
      )}
      <p class="field-help">{schema.description}</p>
      {isThere && <SchemaFields path={path} schema={schema} value={value ?? {}} change={change} problems={problems} />}
    </fieldset>
  );
}
