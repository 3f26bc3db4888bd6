// Ends every session of this operator, after asking.
import { ask } from "../../../app/dialogs";
import { signOutEverywhere } from "../api/calls";
import { endSession } from "../api/session";

export async function askToSignOutEverywhere(): Promise<void> {
  const done = await ask({
    title: "Sign out everywhere",
    text: "Every session of yours ends at once: here, in other browsers and on other machines.",
    action: "Sign out everywhere",
    danger: true,
    run: signOutEverywhere,
  });
  if (done) endSession();
}
