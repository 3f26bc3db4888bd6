// The address is the state of a list. One schema of its parameters parses it, supplies defaults, and leaves defaults out of
// links; what it refuses is named, so that a typing mistake does not silently show everything.

export interface Parameter<T> {
  /** Undefined: refused. */
  parse(text: string): T | undefined;
  text(value: T): string;
  initial: T;
}

export const oneOf = <T extends string>(allowed: readonly T[], initial: T): Parameter<T> => ({
  parse: (text) => allowed.find((value) => value === text),
  text: (value) => value,
  initial,
});

export const matching = (pattern: RegExp): Parameter<string> => ({
  parse: (text) => (pattern.test(text) ? text : undefined),
  text: (value) => value,
  initial: "",
});

export const anId = matching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);

// biome-ignore lint/suspicious/noExplicitAny: a schema holds parameters of several types
type Schema = Record<string, Parameter<any>>;
export type ValuesOf<S extends Schema> = { [Name in keyof S]: S[Name] extends Parameter<infer T> ? T : never };

export interface Parsed<S extends Schema> {
  values: ValuesOf<S>;
  /** "status=fialed": what the address says and the schema does not take. */
  refused: string[];
}

export function parseQuery<S extends Schema>(schema: S, query: URLSearchParams): Parsed<S> {
  const refused: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(schema)) {
    const text = query.get(name);
    const parsed = text === null || text === "" ? parameter.initial : parameter.parse(text);
    if (parsed === undefined) refused.push(`${name}=${text}`);
    values[name] = parsed ?? parameter.initial;
  }
  for (const name of query.keys()) if (!(name in schema)) refused.push(`${name}=${query.get(name)}`);
  return { values: values as ValuesOf<S>, refused };
}

/** For href() and go(): without what is a default. */
export function queryOf<S extends Schema>(schema: S, values: Partial<ValuesOf<S>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(schema)) {
    const value = values[name as keyof S];
    if (value !== undefined && value !== parameter.initial) texts[name] = parameter.text(value);
  }
  return texts;
}
