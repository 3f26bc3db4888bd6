// What the forms of dialogs have in common: one submission at a time, and what it was refused for.
import { useSignal } from "@preact/signals";

export function useSubmission(work: () => Promise<void>) {
  const pending = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (pending.value) return;
    pending.value = true;
    failure.value = undefined;
    try {
      await work();
    } catch (error) {
      failure.value = error;
    } finally {
      pending.value = false;
    }
  };
  return { pending, failure, submit };
}

export type Submission = ReturnType<typeof useSubmission>;
