// Signing in with a name and a password. Refusals are in the service's words; where it asks to wait, the wait is counted down.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ApiError } from "../../api/errors";
import { now } from "../../app/clock";
import { href } from "../../app/router";
import { parent, title } from "../../app/title";
import { count } from "../../ui/format";
import { Logo } from "../../ui/logo";
import { Trouble } from "../../ui/trouble";
import { signIn } from "./api/calls";
import { beginSession, sessionEnded } from "./api/session";

export function OperatorSignIn() {
  const name = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const pending = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const waitUntil = useSignal(0);
  useEffect(() => {
    title.value = "Sign in";
    parent.value = undefined;
    name.current?.focus();
  }, []);
  const secondsLeft = waitUntil.value > 0 ? Math.ceil((waitUntil.value - now.value) / 1000) : 0;

  async function submit(event: Event) {
    event.preventDefault();
    const [given, secret] = [name.current?.value.trim() ?? "", password.current?.value ?? ""];
    if (!given || !secret) {
      failure.value = new Error("Give your name and your password.");
      (given ? password : name).current?.focus();
      return;
    }
    pending.value = true;
    failure.value = undefined;
    try {
      beginSession(await signIn(given, secret));
    } catch (error) {
      failure.value = error;
      const wait = error instanceof ApiError ? error.refusal.retryAfterMs : undefined;
      waitUntil.value = wait ? Date.now() + wait : 0;
      password.current?.select();
      password.current?.focus();
    } finally {
      pending.value = false;
    }
  }

  return (
    <main class="op-outside">
      <div class="op-sign-brand">
        <Logo />
        <h1>Tessera</h1>
        <span class="op-brand">operators</span>
      </div>
      <form class="card op-sign-card" onSubmit={(event) => void submit(event)} novalidate>
        {sessionEnded.value && failure.value === undefined && (
          <p class="op-ended" role="status">
            You were signed out: {sessionEnded.value}. Sign in again to go on where you were.
          </p>
        )}
        <div class="field">
          <label for="operator-name">Name</label>
          <input
            ref={name}
            id="operator-name"
            class="input"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            aria-describedby="sign-trouble"
            aria-invalid={failure.value !== undefined}
          />
        </div>
        <div class="field">
          <label for="operator-password">Password</label>
          <input
            ref={password}
            id="operator-password"
            class="input"
            type="password"
            autocomplete="current-password"
            aria-describedby="sign-trouble"
            aria-invalid={failure.value !== undefined}
          />
        </div>
        <div id="sign-trouble" role="alert">
          <Trouble error={failure.value} />
        </div>
        <button
          type="submit"
          class="button primary wide"
          disabled={pending.value || secondsLeft > 0}
          aria-busy={pending.value}
        >
          {secondsLeft > 0
            ? `Try again in ${count(secondsLeft, "second")}`
            : pending.value
              ? "Signing in …"
              : "Sign in"}
        </button>
      </form>
      <p class="muted op-sign-help">
        <code>tessera admin operator create</code> makes an operator, on the machine of the service.
      </p>
      <p class="small-text">
        <a href={href("/")}>Customers sign in with an API key</a>
      </p>
    </main>
  );
}
