// Signing in with an API key.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { readAccount } from "../../api/calls";
import { ended, signIn } from "../../api/session";
import { account } from "../../app/account";
import { href } from "../../app/router";
import { title } from "../../app/title";
import { CopyButton } from "../../ui/copy_button";
import { Logo } from "../../ui/logo";
import { Trouble } from "../../ui/trouble";
import styles from "./page.css?url";

export { styles };

const command = "tessera admin key create --account me --name console";

export default function SignInPage() {
  const field = useRef<HTMLInputElement>(null);
  const pending = useSignal(false);
  const visible = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    title.value = "Sign in";
    field.current?.focus();
  }, []);

  async function submit(event: Event) {
    event.preventDefault();
    const given = field.current?.value.trim() ?? "";
    if (!given) {
      failure.value = new Error("Paste your API key first.");
      field.current?.focus();
      return;
    }
    pending.value = true;
    failure.value = undefined;
    try {
      account.value = await readAccount({ key: given });
      signIn(given);
    } catch (error) {
      failure.value = error;
      field.current?.select();
    } finally {
      pending.value = false;
    }
  }

  return (
    <main class="signin">
      <div class="signin-brand">
        <Logo />
        <h1>Tessera</h1>
      </div>
      <form class="card signin-card" onSubmit={(event) => void submit(event)} novalidate>
        {ended.value && !failure.value && (
          <p class="signin-ended" role="status">
            You were signed out: {ended.value}. Sign in again to go on where you were.
          </p>
        )}
        <div class="field">
          <label for="api-key">API key</label>
          <div class="signin-key">
            <input
              ref={field}
              id="api-key"
              class="input mono"
              type={(visible.value ? "text" : "password") as "password"}
              autocomplete="off"
              spellcheck={false}
              placeholder="tsr_…"
              aria-describedby="key-trouble key-help"
              aria-invalid={failure.value !== undefined}
            />
            <button
              type="button"
              class="button"
              aria-pressed={visible.value}
              onClick={() => {
                visible.value = !visible.value;
              }}
            >
              {visible.value ? "Hide" : "Show"}
            </button>
          </div>
          <div id="key-trouble" role="alert">
            <Trouble error={failure.value} />
          </div>
          <p id="key-help" class="field-help">
            Kept in this tab alone, and forgotten when it is closed.
          </p>
        </div>
        <button type="submit" class="button primary wide" disabled={pending.value} aria-busy={pending.value}>
          {pending.value ? "Signing in …" : "Sign in"}
        </button>
      </form>
      <details class="signin-where">
        <summary>Where do I get a key?</summary>
        <div class="stack tight">
          <p>
            From whoever runs this service. If that is you, a demo account's key was shown when the service first
            started; this makes another:
          </p>
          <p class="signin-command">
            <code>{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </p>
        </div>
      </details>
      <p class="small-text">
        <a href={href("/operators")}>Operators sign in here</a>
      </p>
    </main>
  );
}
