// One's own sessions, each of which can be ended, and the password.
import { ask } from "../../../app/dialogs";
import { useResource } from "../../../app/resource";
import { useTitle } from "../../../app/title";
import { ErrorCard } from "../../../ui/error_card";
import { Skeleton } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import { listSessions, revokeSession, signOut } from "../api/calls";
import { endSession } from "../api/session";
import type { OperatorSession } from "../api/types";
import { Pill } from "../parts/pill";
import { type Column, Row, Table } from "../parts/table";
import { tellFailure } from "../parts/tell_failure";
import { browserOf } from "./browser";
import { askToSignOutEverywhere } from "./everywhere";
import { PasswordForm } from "./password_form";

const columns: Column[] = [
  { name: "Session" },
  { name: "Last used" },
  { name: "Began", hide: "phone" },
  { name: "Ends", hide: "phone" },
  { name: "Revoke", unseen: true, figures: true },
];

export default function SessionsPage() {
  useTitle("Sessions and password");
  const read = useResource("sessions", (signal) => listSessions({ signal }));

  async function end(session: OperatorSession) {
    if (session.current) {
      await signOut().then(() => endSession(), tellFailure);
      return;
    }
    const done = await ask({
      title: "Revoke the session",
      text: `Whoever uses it (${browserOf(session.user_agent)}, ${session.address}) has to sign in again.`,
      action: "Revoke the session",
      danger: true,
      run: () => revokeSession(session.id),
    });
    if (done) read.reload();
  }

  return (
    <div class="stack">
      <div class="row">
        <h2>Your sessions</h2>
        <span class="push" />
        <button type="button" class="button" onClick={() => void askToSignOutEverywhere()}>
          Sign out everywhere
        </button>
      </div>
      {read.error !== undefined && (
        <ErrorCard title="Sessions could not be read" error={read.error} retry={read.reload} />
      )}
      {!read.value && read.error === undefined && <Skeleton rows={3} />}
      {read.value && (
        <Table label="Your sessions" columns={columns}>
          {read.value.sessions.map((session) => (
            <Row
              key={session.id}
              columns={columns}
              cells={[
                <>
                  <span class="op-beside">
                    <span class="op-name" title={session.user_agent}>
                      {browserOf(session.user_agent)}
                    </span>
                    {session.current && <Pill tone="good">this one</Pill>}
                  </span>
                  <span class="muted small-text op-below mono">{session.address}</span>
                </>,
                <When key="used" at={session.last_used_at} />,
                <When key="began" at={session.created_at} />,
                <When key="ends" at={session.expires_at} />,
                <button
                  key="act"
                  type="button"
                  class={`button small ${session.current ? "" : "danger-quiet"}`}
                  onClick={() => void end(session)}
                >
                  {session.current ? "Sign out" : "Revoke"}
                </button>,
              ]}
            />
          ))}
        </Table>
      )}
      <PasswordForm changed={read.reload} />
    </div>
  );
}
