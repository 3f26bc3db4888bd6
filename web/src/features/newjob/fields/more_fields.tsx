// Fields that few people need: folded away unless one of them was set before.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { nameOf } from "../values";

interface MoreFieldsProps {
  names: string[];
  isSet: boolean;
  children: ComponentChildren;
}

export function MoreFields({ names, isSet, children }: MoreFieldsProps) {
  const [isOpen, setOpen] = useState(isSet);
  return (
    <details class="more-fields" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="field-name">More options</span>{" "}
        <span class="muted small-text">{names.map((name) => nameOf(name).toLowerCase()).join(", ")}</span>
      </summary>
      <div class="fields">{children}</div>
    </details>
  );
}
