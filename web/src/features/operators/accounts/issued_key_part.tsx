// A new key, shown once. It can't be closed by a slip: neither Escape nor a click beside it.
import { useState } from "preact/hooks";
import { CopyButton } from "../../../ui/copy_button";
import { Dialog } from "../../../ui/dialog";
import type { IssuedKey } from "../api/types";

export function IssuedKeyPart({ issued, close }: { issued: IssuedKey; close(): void }) {
  const [kept, setKept] = useState(false);
  return (
    <Dialog title={`The key ${issued.name}`} close={undefined}>
      <p class="op-once">
        <b>This is the only time it is shown.</b> The service keeps a hash of it and can't show it again.
      </p>
      <div class="op-secret">
        <code>{issued.api_key}</code>
        <CopyButton text={issued.api_key} label="Copy the key" />
      </div>
      <label class="check">
        <input type="checkbox" checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />
        <span>I have put it where it is kept</span>
      </label>
      <div class="actions end">
        <CopyButton text={issued.api_key}>Copy the key</CopyButton>
        <button type="button" class="button primary" disabled={!kept} onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
