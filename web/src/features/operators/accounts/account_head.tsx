// The account's state, and what changes it: suspending can be undone, erasing can't.
import { useState } from "preact/hooks";
import { notify } from "../../../app/notices";
import { resumeAccount, suspendAccount } from "../api/calls";
import type { AccountDetails, OperatedAccount } from "../api/types";
import { AccountState } from "../parts/account_state";
import { tellFailure } from "../parts/tell_failure";
import { EraseDialog } from "./erase_dialog";

interface AccountHeadProps {
  account: AccountDetails;
  changed(next: OperatedAccount): void;
}

export function AccountHead({ account, changed }: AccountHeadProps) {
  const [erasing, setErasing] = useState(false);
  const [pending, setPending] = useState(false);
  const isGone = account.state === "erased";

  async function turn(to: "suspended" | "active", isUndo = false) {
    setPending(true);
    try {
      changed(await (to === "suspended" ? suspendAccount : resumeAccount)(account.id));
    } catch (error) {
      tellFailure(error);
      return;
    } finally {
      setPending(false);
    }
    if (isUndo) return;
    const words = to === "suspended" ? "is suspended: its keys are refused from now on" : "works again";
    const pressed = await notify({ text: `${account.display_name} ${words}.`, actions: ["Undo"] });
    if (pressed === "Undo") await turn(to === "suspended" ? "active" : "suspended", true);
  }

  return (
    <div class="row">
      <span class="mono">{account.slug}</span>
      <AccountState state={account.state} />
      <span class="push" />
      {account.state === "active" && (
        <button type="button" class="button" disabled={pending} onClick={() => void turn("suspended")}>
          Suspend
        </button>
      )}
      {account.state === "suspended" && (
        <button type="button" class="button primary" disabled={pending} onClick={() => void turn("active")}>
          Resume
        </button>
      )}
      {!isGone && (
        <button type="button" class="button danger-quiet" onClick={() => setErasing(true)}>
          {account.state === "being_erased" ? "Go on erasing …" : "Erase …"}
        </button>
      )}
      {erasing && <EraseDialog account={account} erased={changed} close={() => setErasing(false)} />}
    </div>
  );
}
