// A new account: its name, the slug that follows from it unless another is typed, its plan.
import { go } from "../../../app/router";
import { createAccount } from "../api/calls";
import type { OperatedPlan } from "../api/types";
import { useDraft } from "../parts/draft";
import { useFocusFirst } from "../parts/focus_first";
import { FormDialog } from "../parts/form_dialog";
import { useSubmission } from "../parts/submission";
import { slugOf } from "./slug";

interface CreateDialogProps {
  plans: readonly OperatedPlan[];
  close(): void;
}

export function CreateDialog({ plans, close }: CreateDialogProps) {
  const first = useFocusFirst();
  const [draft, change, forget] = useDraft("account", { name: "", slug: "", slugTyped: false, plan: "" });
  const slug = draft.slugTyped ? draft.slug : slugOf(draft.name);
  const usable = plans.filter(({ status }) => status === "active");
  const plan = draft.plan || (usable[0]?.code ?? "");
  const submission = useSubmission(async () => {
    if (!draft.name.trim()) throw new Error("Give the account a name.");
    const made = await createAccount({ slug, display_name: draft.name.trim(), plan });
    forget();
    go(`/operators/accounts/${made.id}`);
  });
  const leave = () => {
    forget();
    close();
  };
  return (
    <FormDialog title="New account" submission={submission} action="Create account" acting="Creating …" leave={leave}>
      <div class="field">
        <label for="account-name">Name</label>
        <input
          ref={first}
          id="account-name"
          class="input"
          value={draft.name}
          autocomplete="off"
          placeholder="Studio North"
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="account-slug">Slug</label>
        <input
          id="account-slug"
          class="input mono"
          value={slug}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="account-slug-help"
          onInput={(event) => change({ slug: event.currentTarget.value, slugTyped: event.currentTarget.value !== "" })}
        />
        <p id="account-slug-help" class="field-help">
          The short name for commands and logs. It stays as it is.
        </p>
      </div>
      <div class="field">
        <label for="account-plan">Plan</label>
        <select
          id="account-plan"
          class="input"
          value={plan}
          onChange={(event) => change({ plan: event.currentTarget.value })}
        >
          {usable.map(({ code, display_name }) => (
            <option key={code} value={code}>
              {display_name}
            </option>
          ))}
        </select>
      </div>
    </FormDialog>
  );
}
