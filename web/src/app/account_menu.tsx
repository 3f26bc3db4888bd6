// Whose key is used, and the way out.
import { signOut } from "../api/session";
import { Popup } from "../ui/popup";
import { account } from "./account";

export function AccountMenu() {
  const who = account.value;
  return (
    <Popup class="account" button={who?.account.display_name ?? "Account"}>
      {() => (
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
    </Popup>
  );
}
