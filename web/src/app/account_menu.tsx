// Whose key is used, and the way out.
import { useEffect, useRef, useState } from "preact/hooks";
import { signOut } from "../api/session";
import { account } from "./account";

export function AccountMenu() {
  const [open, setOpen] = useState(false);
  const here = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
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
    button.current?.focus();
  }
  const who = account.value;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what its button opened
    <div class="account" ref={here} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class="button"
        aria-expanded={open}
        aria-haspopup="true"
        onClick={() => setOpen(!open)}
      >
        {who?.account.display_name ?? "Account"}
      </button>
      {open && (
        <div class="account-sheet">
          {who && (
            <dl class="facts">
              <dt>Account</dt>
              <dd>{who.account.display_name}</dd>
              <dt>Plan</dt>
              <dd>{who.plan.display_name}</dd>
              <dt>Key</dt>
              <dd>
                {who.api_key.name} <span class="muted">({who.api_key.role_code})</span>
              </dd>
            </dl>
          )}
          <button type="button" class="button wide" onClick={() => signOut()}>
            Sign out
          </button>
        </div>
      )}
    </div>
  );
}
