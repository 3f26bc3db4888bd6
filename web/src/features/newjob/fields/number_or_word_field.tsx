// A whole number, or one of a few words in its place: typed in, with the words on offer.
import { numberOrWord } from "../values";
import { FieldFrame, helpId } from "./field_frame";
import type { FieldProps } from "./field_props";

export function NumberOrWordField({
  path,
  name,
  schema,
  required,
  value,
  change,
  problems,
}: FieldProps<number | string>) {
  const problem = problems.get(path);
  const { number, words } = numberOrWord(schema);
  const read = (text: string) => change(text === "" ? undefined : /^\d+$/.test(text) ? Number(text) : text);
  return (
    <FieldFrame path={path} name={name} schema={schema} required={required} problem={problem}>
      <input
        id={path}
        class="input"
        list={`${path}-words`}
        placeholder={schema.default === undefined ? `${number?.minimum} to ${number?.maximum}` : String(schema.default)}
        value={value ?? ""}
        aria-describedby={helpId(path)}
        aria-invalid={problem !== undefined}
        onInput={(event) => read(event.currentTarget.value.trim())}
      />
      <datalist id={`${path}-words`}>
        {words.map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
    </FieldFrame>
  );
}
