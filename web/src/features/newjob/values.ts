// What a person has put into a form made from a schema: plain JSON, where undefined is "as the service has it".
import type { Schema } from "../../api/operations";

export type Options = Record<string, unknown>;

/** A length or a count; undefined where the value is none, or not one yet. */
export const positive = (value: unknown): number | undefined =>
  typeof value === "number" && value > 0 && Number.isFinite(value) ? value : undefined;

/** "block_width" is "Block width". */
export function nameOf(name: string): string {
  const words = name
    .replace(/_/g, " ")
    .replace(/\bid\b/, "")
    .trim();
  return words === "dpr" ? "DPR" : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Without what is not set; lists and objects are kept where something is in them. */
export function cleaned(options: Options): Options {
  const out: Options = {};
  for (const [name, value] of Object.entries(options)) {
    const kept = cleanedValue(value);
    if (kept !== undefined) out[name] = kept;
  }
  return out;
}

function cleanedValue(value: unknown): unknown {
  if (value === undefined || value === "") return undefined;
  if (Array.isArray(value)) return value.length > 0 ? value.map((item) => cleaned(item as Options)) : undefined;
  if (typeof value === "object" && value !== null) {
    const inner = cleaned(value as Options);
    return Object.keys(inner).length > 0 ? inner : undefined;
  }
  return value;
}

/** What the schema already says is wrong, by the path of the field: "patches.0.x". */
export function problemsOf(schema: Schema, options: Options, path = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const place = path ? `${path}.${name}` : name;
    const value = options[name];
    const isRequired = schema.required?.includes(name);
    // A group that may be left out is there once it was asked for, and then needs what is needed in it.
    const isEmptyGroup = isRequired && inner.type === "object" && cleanedValue(value) === undefined;
    if (value === undefined || value === "" || isEmptyGroup) {
      if (isRequired && inner.type !== "array") found.set(place, "is needed");
      continue;
    }
    const problem = problemOf(inner, value);
    if (problem) found.set(place, problem);
    if (inner.type === "object")
      for (const [key, text] of problemsOf(inner, value as Options, place)) found.set(key, text);
    if (inner.type === "array" && Array.isArray(value) && inner.items) {
      const items = inner.items;
      value.forEach((item, index) => {
        for (const [key, text] of problemsOf(items, item as Options, `${place}.${index}`)) found.set(key, text);
      });
    }
  }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const value = options[name];
    const length = Array.isArray(value) ? value.length : 0;
    const isAsked = schema.required?.includes(name) || length > 0;
    if (inner.type === "array" && isAsked && length < (inner.minItems ?? 0))
      found.set(path ? `${path}.${name}` : name, `needs ${inner.minItems} at least`);
  }
  return found;
}

/** The two sides of a schema that is a whole number or a word. */
export function numberOrWord(schema: Schema): { number: Schema | undefined; words: string[] } {
  const number = schema.oneOf?.find((one) => one.type === "integer");
  const words = schema.oneOf?.flatMap((one) => (one.type === "string" ? (one.enum ?? []).map(String) : [])) ?? [];
  return { number, words };
}

function problemOf(schema: Schema, value: unknown): string | undefined {
  if (schema.oneOf) {
    const { number, words } = numberOrWord(schema);
    if (words.includes(String(value))) return undefined;
    const problem = number && problemOf(number, value);
    return problem && `${problem}, or ${words.join(", ")}`;
  }
  if (schema.type === "integer" || schema.type === "number") {
    const whole = schema.type === "integer";
    const fits = whole ? Number.isInteger(value) : Number.isFinite(value);
    if (typeof value !== "number" || !fits) return whole ? "must be a whole number" : "must be a number";
    if (schema.minimum !== undefined && value < schema.minimum) return `must be ${schema.minimum} at least`;
    if (schema.maximum !== undefined && value > schema.maximum) return `must be ${schema.maximum} at most`;
  }
  return undefined;
}
