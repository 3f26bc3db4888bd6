// What every field gets.
import type { Schema } from "../../../api/operations";

export interface FieldProps<T = unknown> {
  /** Where the value stands: "patches.0.x". Also the id of the control. */
  path: string;
  name: string;
  schema: Schema;
  required: boolean;
  value: T | undefined;
  /** Undefined: as the service has it. */
  change(value: T | undefined): void;
  /** Of this field and, for lists and objects, of those in it. */
  problems: ReadonlyMap<string, string>;
}
