// The name of a field above it, help and problem below it, tied together for screen readers.
import type { ComponentChildren } from "preact";
import type { Schema } from "../../../api/operations";
import { nameOf } from "../values";

interface FieldFrameProps {
  path: string;
  name: string;
  schema: Schema;
  required: boolean;
  problem: string | undefined;
  children: ComponentChildren;
}

export const helpId = (path: string) => `${path}-help`;

export function FieldFrame({ path, name, schema, required, problem, children }: FieldFrameProps) {
  return (
    <div class="field">
      <label for={path}>
        {nameOf(name)}
        {required && <span class="muted small-text"> needed</span>}
      </label>
      {children}
      <p id={helpId(path)} class="field-help">
        {problem && <span class="field-bad">{`${nameOf(name)} ${problem}. `}</span>}
        {schema.description}
      </p>
    </div>
  );
}
