// Erasing is final, so the slug is typed before it begins.
import { useState } from "preact/hooks";
import { bytes, count } from "../../../ui/format";
import { eraseAccount } from "../api/calls";
import type { AccountDetails, OperatedAccount } from "../api/types";
import { useFocusFirst } from "../parts/focus_first";
import { FormDialog } from "../parts/form_dialog";
import { useSubmission } from "../parts/submission";

interface EraseDialogProps {
  account: AccountDetails;
  erased(next: OperatedAccount): void;
  close(): void;
}

export function EraseDialog({ account, erased, close }: EraseDialogProps) {
  const first = useFocusFirst();
  const [typed, setTyped] = useState("");
  const submission = useSubmission(async () => {
    erased(await eraseAccount(account.id, typed));
    close();
  });
  const { storage, keys } = account;
  return (
    <FormDialog
      title={`Erase ${account.display_name}`}
      submission={submission}
      action="Erase for good"
      acting="Working …"
      danger
      ready={typed === account.slug}
      leaving="Keep"
      leave={close}
    >
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
    </FormDialog>
  );
}
