// Nothing here: what this place is for, and the way to begin; or that nothing matches, and the way back.
import type { ComponentChildren } from "preact";

export function EmptyState({ title, text, children }: { title: string; text: string; children?: ComponentChildren }) {
  return (
    <div class="card empty">
      <h2>{title}</h2>
      <p class="muted">{text}</p>
      {children && <div class="actions">{children}</div>}
    </div>
  );
}
