// A group of fields.
import { nameOf, type Options } from "../values";
import type { FieldProps } from "./field_props";
import { SchemaFields } from "./schema_fields";

export function ObjectField({ path, name, schema, value, change, problems }: FieldProps<Options>) {
  return (
    <fieldset class="group">
      <legend class="field-name">{nameOf(name)}</legend>
      <p class="field-help">{schema.description}</p>
      <SchemaFields path={path} schema={schema} value={value ?? {}} change={change} problems={problems} />
    </fieldset>
  );
}
