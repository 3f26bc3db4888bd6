// A button that opens a small sheet; Escape and going elsewhere close it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface PopupProps {
  class: string;
  buttonClass?: string;
  button: ComponentChildren;
  label?: string;
  /** Draws what is in the sheet; `close` is for what leads away from it. */
  children(close: () => void): ComponentChildren;
}

export function Popup({ class: name, buttonClass = "button", button, label, children }: PopupProps) {
  const [open, setOpen] = useState(false);
  const here = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => here.current?.contains(event.target as Node) || setOpen(false);
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape" || !open) return;
    setOpen(false);
    opener.current?.focus();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what its button opened
    <div class={name} ref={here} onKeyDown={onKeyDown}>
      <button
        ref={opener}
        type="button"
        class={buttonClass}
        aria-label={label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open && children(() => setOpen(false))}
    </div>
  );
}
