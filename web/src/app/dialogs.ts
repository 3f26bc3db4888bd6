// Questions that a person has to answer before something is done that can't be undone.
import { signal } from "@preact/signals";

export interface Question {
  title: string;
  /** What happens, how many, and that it is final. */
  text: string;
  /** On the button: "Delete 3 assets". */
  action: string;
  danger?: boolean;
  /** Done while the dialog stays open; an error is shown in it. */
  run(): Promise<void>;
}

export const question = signal<(Question & { done(ran: boolean): void }) | undefined>(undefined);

/** True when it was done. */
export function ask(asked: Question): Promise<boolean> {
  return new Promise((resolve) => {
    question.value = {
      ...asked,
      done(ran) {
        question.value = undefined;
        resolve(ran);
      },
    };
  });
}
