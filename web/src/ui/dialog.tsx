// A dialog of the browser's own kind: the page behind it is inert, Escape closes it, focus goes back to where it was.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icon";

interface DialogProps {
  title: string;
  /** Undefined: it can't be closed now. */
  close: (() => void) | undefined;
  children: ComponentChildren;
  /** For pictures and lists. */
  large?: boolean;
}

export function Dialog({ title, close, children, large = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for what a click beside it does
    <dialog
      ref={dialog}
      class={`dialog ${large ? "dialog-large" : ""}`}
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault();
        close?.();
      }}
      onClick={(event) => event.target === dialog.current && close?.()}
    >
      <div class="dialog-sheet">
        <header class="dialog-head">
          <h2 id={name}>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" disabled={!close} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
