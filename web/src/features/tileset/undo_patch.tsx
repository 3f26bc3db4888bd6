// Takes the newest patch back by publishing what was there before as one version more, after asking.
import { may } from "../../app/account";
import { ask } from "../../app/dialogs";
import { notify } from "../../app/notices";
import { count } from "../../ui/format";
import type { PatchEditor } from "./editor";
import type { Version } from "./history";
import { creditsOf } from "./pyramid";
import { hindrance, undoing } from "./undo";

interface Properties {
  history: Version[];
  editor: PatchEditor;
  tilesetId: string;
  published(): Promise<void>;
}

export function UndoPatch({ history, editor, tilesetId, published }: Properties) {
  const [newest] = history;
  if (!newest?.patches || history.length < 2 || !may("jobs:write")) return null;
  const reason = hindrance(history);

  async function undo() {
    const version = newest as Version;
    await ask({
      title: `Take back version ${version.version}`,
      text:
        `Versions are never taken away. What version ${version.version - 1} showed there is published again as version ${version.version + 1}, ` +
        `for ${count(creditsOf(version.patches ?? []), "credit")}. Only png puts back the very same pixels.`,
      action: `Publish v${version.version + 1}`,
      async run() {
        const job = await editor.submit(await undoing(tilesetId, history, new AbortController().signal));
        const state = editor.publishing.peek();
        if (!job)
          throw state.state === "failed" && state.error ? state.error : new Error("the job failed; see Jobs for why");
        await published();
        void notify({ text: `Version ${version.version} is taken back by version ${version.version + 1}.` });
      },
    });
  }
  return (
    <div class="card-part">
      <button type="button" class="button small" disabled={reason !== undefined} onClick={() => void undo()}>
        Take back v{newest.version} …
      </button>
      {reason && <p class="muted small-text undo-reason">{reason}</p>}
    </div>
  );
}
