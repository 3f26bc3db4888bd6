// Another password. Every other session ends with the old one.
import { useRef } from "preact/hooks";
import { notify } from "../../../app/notices";
import { Trouble } from "../../../ui/trouble";
import { changePassword } from "../api/calls";
import { session } from "../api/session";
import { useSubmission } from "../parts/submission";

const shortest = 12;

export function PasswordForm({ changed }: { changed(): void }) {
  const form = useRef<HTMLFormElement>(null);
  const current = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  const { pending, failure, submit } = useSubmission(async () => {
    const [old, wanted] = [current.current?.value ?? "", next.current?.value ?? ""];
    if (!old) throw new Error("Give your current password.");
    if (wanted.length < shortest) throw new Error(`The new password has at least ${shortest} characters.`);
    await changePassword(old, wanted);
    form.current?.reset();
    void notify({ text: "The password is changed, and your other sessions have ended." });
    changed();
  });
  return (
    <section class="card card-part stack op-password" aria-label="Password">
      <h2>Password</h2>
      <form ref={form} class="stack" onSubmit={(event) => void submit(event)} novalidate>
        <input
          class="unseen"
          autocomplete="username"
          value={session.value?.operator.name}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <div class="field">
          <label for="password-current">Current password</label>
          <input ref={current} id="password-current" class="input" type="password" autocomplete="current-password" />
        </div>
        <div class="field">
          <label for="password-new">New password</label>
          <input
            ref={next}
            id="password-new"
            class="input"
            type="password"
            autocomplete="new-password"
            aria-describedby="password-help"
          />
          <p id="password-help" class="field-help">
            At least {shortest} characters. Your other sessions end.
          </p>
        </div>
        <div role="alert">
          <Trouble error={failure.value} />
        </div>
        <div class="actions">
          <button type="submit" class="button primary" disabled={pending.value} aria-busy={pending.value}>
            {pending.value ? "Changing …" : "Change the password"}
          </button>
        </div>
      </form>
    </section>
  );
}
