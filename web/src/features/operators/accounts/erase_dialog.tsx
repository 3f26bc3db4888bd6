// Erasing is final, so the slug is typed before it begins.
import { useState } from "preact/hooks";
import { Dialog } from "../../../ui/dialog";
import { bytes, count } from "../../../ui/format";
import { Trouble } from "../../../ui/trouble";
import { eraseAccount } from "../api/calls";
import type { AccountDetails, OperatedAccount } from "../api/types";
import { useFocusFirst } from "../parts/focus_first";
import { useSubmission } from "../parts/submission";

interface EraseDialogProps {
  account: AccountDetails;
  erased(next: OperatedAccount): void;
  close(): void;
}

export function EraseDialog({ account, erased, close }: EraseDialogProps) {
  const first = useFocusFirst();
  const [typed, setTyped] = useState("");
  const { pending, failure, submit } = useSubmission(async () => {
    erased(await eraseAccount(account.id, typed));
    close();
  });
  const { storage, keys } = account;
  return (
    <Dialog title={`Erase ${account.display_name}`} close={pending.value ? undefined : close}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <p>
          {count(storage.assets, "asset")} ({bytes(storage.bytes)}), all tilesets, jobs and results, and{" "}
          {count(keys.total, "key")} are deleted. <b>This is final</b>: nothing of it can be brought back.
        </p>
        <div class="field">
          <label for="erase-slug">
            Type <code>{account.slug}</code> to go on
          </label>
          <input
            ref={first}
            id="erase-slug"
            class="input mono"
            value={typed}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </div>
        <div role="alert">
          <Trouble error={failure.value} />
        </div>
        <div class="actions end">
          <button type="button" class="button" disabled={pending.value} onClick={close}>
            Keep
          </button>
          <button
            type="submit"
            class="button danger"
            disabled={pending.value || typed !== account.slug}
            aria-busy={pending.value}
          >
            {pending.value ? "Working …" : "Erase for good"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
