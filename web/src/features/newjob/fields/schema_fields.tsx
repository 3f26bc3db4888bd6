// The fields of an object's schema, one for each property, in the order of the document: what is asked for most comes first
// there, so that of many the last are folded away.
import type { VNode } from "preact";
import { isColour, type Schema } from "../../../api/operations";
import type { Options } from "../values";
import { AssetField } from "./asset_field";
import { BooleanField } from "./boolean_field";
import { ChoiceField } from "./choice_field";
import { ColourField } from "./colour_field";
import type { FieldProps } from "./field_props";
import { IntegerField } from "./integer_field";
import { ListField } from "./list_field";
import { MoreFields } from "./more_fields";
import { NumberOrWordField } from "./number_or_word_field";
import { ObjectField } from "./object_field";
import { TextField } from "./text_field";
import { TilesetField } from "./tileset_field";

const mostFields = 10;
const fieldsShown = 8;

interface SchemaFieldsProps {
  path: string;
  schema: Schema;
  value: Options;
  change(value: Options | undefined): void;
  problems: ReadonlyMap<string, string>;
}

export function SchemaFields({ path, schema, value, change, problems }: SchemaFieldsProps) {
  const required = schema.required ?? [];
  const isSmall = (inner: Schema) => inner.type !== "object" && inner.type !== "array";
  const properties = Object.entries(schema.properties ?? {});
  const small = properties.filter(([, inner]) => isSmall(inner));
  const shown = small.length > mostFields ? fieldsShown : small.length;
  const draw = ([name, inner]: [string, Schema]) => {
    const Field = fieldOf(name, inner);
    return (
      <Field
        key={name}
        path={path ? `${path}.${name}` : name}
        name={name}
        schema={inner}
        required={required.includes(name)}
        value={value[name]}
        change={(next) => change({ ...value, [name]: next })}
        problems={problems}
      />
    );
  };
  return (
    <>
      <div class="fields">{small.slice(0, shown).map(draw)}</div>
      {shown < small.length && (
        <MoreFields
          names={small.slice(shown).map(([name]) => name)}
          isSet={small.slice(shown).some(([name]) => value[name] !== undefined)}
        >
          {small.slice(shown).map(draw)}
        </MoreFields>
      )}
      {properties.filter(([, inner]) => !isSmall(inner)).map(draw)}
    </>
  );
}

/** A kind that is not known is typed in as text: a new operation can be used before this console knows of it. */
function fieldOf(name: string, schema: Schema): (props: FieldProps) => VNode {
  const kind = (() => {
    if (isColour(schema)) return ColourField;
    if (schema.format === "uuid") return name.includes("tileset") ? TilesetField : AssetField;
    if (schema.oneOf) return NumberOrWordField;
    switch (schema.type) {
      case "integer":
      case "number":
        return IntegerField;
      case "boolean":
        return BooleanField;
      case "object":
        return ObjectField;
      case "array":
        return ListField;
      default:
        return schema.enum ? ChoiceField : TextField;
    }
  })();
  return kind as (props: FieldProps) => VNode;
}
