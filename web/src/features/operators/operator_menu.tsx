// Who is signed in, until when, and the ways out.
import { href } from "../../app/router";
import { Popup } from "../../ui/popup";
import { When } from "../../ui/when";
import { signOut } from "./api/calls";
import { endSession, session } from "./api/session";
import { tellFailure } from "./parts/tell_failure";
import { askToSignOutEverywhere } from "./sessions/everywhere";

async function leave() {
  try {
    await signOut();
    endSession();
  } catch (error) {
    tellFailure(error);
  }
}

export function OperatorMenu() {
  const who = session.value;
  if (!who) return null;
  return (
    <Popup class="account" button={who.operator.name}>
      {(close) => (
        <div class="account-sheet">
          <dl class="facts">
            <dt>Operator</dt>
            <dd>{who.operator.name}</dd>
            <dt>Signed in</dt>
            <dd>
              <When at={who.created_at} />
            </dd>
            <dt>Ends</dt>
            <dd>
              <When at={who.expires_at} />
            </dd>
          </dl>
          <div class="stack tight">
            <a class="button wide" href={href("/operators/sessions")} onClick={close}>
              Sessions and password
            </a>
            <button type="button" class="button wide" onClick={() => void leave()}>
              Sign out
            </button>
            <button
              type="button"
              class="button wide"
              onClick={() => {
                close();
                void askToSignOutEverywhere();
              }}
            >
              Sign out everywhere
            </button>
            <a class="op-menu-link small-text" href={href("/")}>
              To the customers' part
            </a>
          </div>
        </div>
      )}
    </Popup>
  );
}
