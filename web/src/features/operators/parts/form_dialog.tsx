// A form in a dialog: its fields, what it was refused for, and its two buttons. It stays open while it is sent.
import type { ComponentChildren } from "preact";
import { Dialog } from "../../../ui/dialog";
import { Trouble } from "../../../ui/trouble";
import type { Submission } from "./submission";

interface FormDialogProps {
  title: string;
  submission: Submission;
  /** On the button, and while it is sent. */
  action: string;
  acting: string;
  danger?: boolean;
  /** False: not all is filled in that it needs. */
  ready?: boolean;
  /** What the way out is called. */
  leaving?: string;
  leave(): void;
  children: ComponentChildren;
}

export function FormDialog({
  title,
  submission,
  action,
  acting,
  danger,
  ready = true,
  leaving = "Cancel",
  leave,
  children,
}: FormDialogProps) {
  const { failure, submit } = submission;
  const pending = submission.pending.value;
  return (
    <Dialog title={title} close={pending ? undefined : leave}>
      <form class="stack" onSubmit={(event) => void submit(event)} novalidate>
        {children}
        <div role="alert">
          <Trouble error={failure.value} />
        </div>
        <div class="actions end">
          <button type="button" class="button" disabled={pending} onClick={leave}>
            {leaving}
          </button>
          <button
            type="submit"
            class={`button ${danger ? "danger" : "primary"}`}
            disabled={pending || !ready}
            aria-busy={pending}
          >
            {pending ? acting : action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
