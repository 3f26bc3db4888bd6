// The operators' part of the console: its sign-in, or its shell with the page that the address names.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isCancelled } from "../../api/errors";
import { NotFound } from "../../app/not_found";
import { path, scrollToRestore } from "../../app/router";
import { ErrorCard } from "../../ui/error_card";
import { readSession } from "./api/calls";
import { beginSession, session } from "./api/session";
import { isSignedOut } from "./api/signed_out";
import styles from "./operators.css?url";
import { operatorRouteOf } from "./routes";
import { OperatorShell } from "./shell";
import { OperatorSignIn } from "./sign_in";

export { styles };

export default function OperatorsApp() {
  const at = path.value;
  const found = operatorRouteOf(at);
  const failure = useSignal<unknown>(undefined);
  const who = session.value;
  const signedIn = who !== null && who !== undefined;

  const look = () => {
    failure.value = undefined;
    const controller = new AbortController();
    readSession({ signal: controller.signal }).then(beginSession, (error: unknown) => {
      if (isSignedOut(error))
        session.value = null; // why it ended, if it did in this tab, is still known
      else if (!isCancelled(error)) failure.value = error;
    });
    return () => controller.abort();
  };
  useEffect(() => (session.peek() === undefined ? look() : undefined), []);
  useEffect(() => {
    scrollTo(0, scrollToRestore.peek());
    if (signedIn && document.activeElement !== document.body)
      document.getElementById("page-title")?.focus({ preventScroll: true });
  }, [at, signedIn]);

  if (failure.value !== undefined) {
    return (
      <main class="op-outside">
        <ErrorCard title="The operators' part could not be opened" error={failure.value} retry={() => void look()} />
        <p class="muted">
          It may be switched off (<code>console.enabled</code>), or be at another address of this service (
          <code>console.operator_listen</code>).
        </p>
      </main>
    );
  }
  if (who === undefined) return <main class="op-outside" aria-busy="true" />;
  if (who === null) return <OperatorSignIn />;
  const Page = found?.route.page;
  return (
    <OperatorShell current={found?.route.place}>
      {found && Page ? <Page key={at} {...found.properties} /> : <NotFound start="/operators" name="the overview" />}
    </OperatorShell>
  );
}
