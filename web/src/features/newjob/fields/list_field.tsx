// A list of groups, such as the blocks of a grid: each can be added, copied and taken away.
import { number } from "../../../ui/format";
import { Icon } from "../../../ui/icon";
import { nameOf, type Options } from "../values";
import type { FieldProps } from "./field_props";
import { SchemaFields } from "./schema_fields";

export function ListField({ path, name, schema, value, change, problems }: FieldProps<Options[]>) {
  const items = value ?? [];
  const one = nameOf(name)
    .toLowerCase()
    .replace(/(ch|sh|x)es$/, "$1")
    .replace(/s$/, "");
  const put = (index: number, item: Options) => change(items.map((old, at) => (at === index ? item : old)));
  const most = schema.maxItems ?? Number.MAX_SAFE_INTEGER;
  return (
    <fieldset class="group">
      <legend class="field-name">
        {nameOf(name)} <span class="muted small-text figures">{number(items.length)}</span>
      </legend>
      <p class="field-help">
        {problems.get(path) && <span class="field-bad">{`${nameOf(name)}: ${problems.get(path)}. `}</span>}
        {schema.description}
      </p>
      {items.map((item, index) => (
        <fieldset key={index} class="group-item">
          <legend class="small-text muted">
            {one} {index + 1}
          </legend>
          {schema.items && (
            <SchemaFields
              path={`${path}.${index}`}
              schema={schema.items}
              value={item}
              change={(next) => put(index, next ?? {})}
              problems={problems}
            />
          )}
          <div class="actions">
            <button
              type="button"
              class="button small"
              disabled={items.length >= most}
              onClick={() => change([...items.slice(0, index + 1), { ...item }, ...items.slice(index + 1)])}
            >
              <Icon name="copy" />
              Copy
            </button>
            <button
              type="button"
              class="button small"
              aria-label={`Remove ${one} ${index + 1}`}
              onClick={() => change(items.filter((_, at) => at !== index))}
            >
              <Icon name="trash" />
              Remove
            </button>
          </div>
        </fieldset>
      ))}
      <div>
        <button type="button" class="button" disabled={items.length >= most} onClick={() => change([...items, {}])}>
          <Icon name="plus" />
          {`Add ${/^[aeiou]/.test(one) ? "an" : "a"} ${one}`}
        </button>
      </div>
    </fieldset>
  );
}
