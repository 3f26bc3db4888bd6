// The operations that the service has, and what each takes, from its own OpenAPI document: a new one appears by itself.
import { signal } from "@preact/signals";
import { request } from "./request";
import { key } from "./session";

/** The part of JSON Schema that options are described with. */
export interface Schema {
  type?: "object" | "array" | "integer" | "number" | "string" | "boolean";
  $ref?: string;
  description?: string;
  default?: unknown;
  enum?: (string | number)[];
  /** A number, or one of a few words. */
  oneOf?: Schema[];
  const?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Operation {
  name: string;
  description: string;
  /** Whether it works on an asset: it must, may, or must not be named. */
  asset: "required" | "optional" | "absent";
  options: Schema;
  /** What holds between options, by the names that the service gives its rules. */
  rules: Record<string, string>;
}

interface RequestSchema extends Schema {
  "x-rules"?: Record<string, string>;
}

interface Document {
  components: { schemas: Record<string, RequestSchema> };
}

/** Their names: those that are known from the beginning, until the document is there. */
export const operationNames = signal<readonly string[]>(["resize", "optimize", "tile", "grid_render", "tile_patch"]);

let reading: Promise<Operation[]> | undefined;
key.subscribe(() => {
  reading = undefined;
});

export function readOperations(): Promise<Operation[]> {
  reading ??= request<Document>("openapi.json", { key: null }).then(
    (document) => {
      const found = operationsOf(document);
      operationNames.value = found.map(({ name }) => name);
      return found;
    },
    (error: unknown) => {
      reading = undefined;
      throw error;
    },
  );
  return reading;
}

function operationsOf({ components: { schemas } }: Document): Operation[] {
  const names = (schemas.OperationName?.enum ?? []).map(String);
  return names.flatMap((name) => {
    const schema = schemas[`JobRequest_${name}`];
    const options = schema?.properties?.options;
    if (!schema || !options) return [];
    const asset = !schema.properties?.asset_id
      ? "absent"
      : schema.required?.includes("asset_id")
        ? "required"
        : "optional";
    return [{ name, description: schema.description ?? "", asset, options, rules: schema["x-rules"] ?? {} }];
  });
}

/** Colours are described once, elsewhere in the document. */
export const isColour = (schema: Schema): boolean => schema.$ref?.endsWith("/Colour") ?? false;
