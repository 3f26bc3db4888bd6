// The dialog of ask(): stays open while the act is pending, and tells of it when it fails.
import { useState } from "preact/hooks";
import { wordsOf } from "../api/errors";
import { Dialog } from "../ui/dialog";
import { question } from "./dialogs";

export function QuestionDialog() {
  const asked = question.value;
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  if (!asked) return null;

  async function run() {
    setPending(true);
    setFailure(undefined);
    try {
      await asked?.run();
      asked?.done(true);
    } catch (error) {
      setFailure(wordsOf(error));
    } finally {
      setPending(false);
    }
  }
  const close = () => {
    setFailure(undefined);
    asked.done(false);
  };
  return (
    <Dialog title={asked.title} close={pending ? undefined : close}>
      <p>{asked.text}</p>
      {failure && (
        <p class="bad-text" role="alert">
          {failure}
        </p>
      )}
      <div class="actions end">
        <button type="button" class="button" disabled={pending} onClick={close}>
          Keep
        </button>
        <button
          type="button"
          class={`button ${asked.danger ? "danger" : "primary"}`}
          aria-busy={pending}
          disabled={pending}
          onClick={() => void run()}
        >
          {pending ? "Working …" : asked.action}
        </button>
      </div>
    </Dialog>
  );
}
