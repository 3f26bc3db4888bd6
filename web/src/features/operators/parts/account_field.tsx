// Which account a list is of: its slug is typed, with those that match offered below; the address holds its id.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { isCancelled, wordsOf } from "../../../api/errors";
import { Icon } from "../../../ui/icon";
import { listAccounts, readAccountDetails } from "../api/calls";
import type { OperatedAccount } from "../api/types";

interface AccountFieldProps {
  /** The account's id; empty: all. */
  value: string;
  choose(id: string): void;
}

export function AccountField({ value, choose }: AccountFieldProps) {
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const [offered, setOffered] = useState<readonly OperatedAccount[]>([]);
  const [typed, setTyped] = useState("");
  const [trouble, setTrouble] = useState<string>();

  // A link names the account by its id: people know it by its slug.
  useEffect(() => {
    setTrouble(undefined);
    if (!value) {
      setTyped("");
      return;
    }
    const controller = new AbortController();
    readAccountDetails(value, { signal: controller.signal }).then(
      ({ slug }) => setTyped(slug),
      (error: unknown) => isCancelled(error) || setTrouble(wordsOf(error)),
    );
    return () => controller.abort();
  }, [value]);

  useEffect(() => {
    const q = typed.trim();
    if (!q) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      listAccounts({ q, limit: 10 }, { signal: controller.signal }).then(
        ({ accounts }) => {
          setOffered(accounts);
          const named = accounts.find(({ slug }) => slug === q);
          if (named && named.id !== value) choose(named.id);
        },
        () => undefined, // what was offered stays
      );
    }, 150);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [typed]);

  return (
    <div class="op-search op-account-field">
      <Icon name="search" />
      <input
        ref={field}
        class="input"
        aria-label="Account"
        placeholder="Every account"
        list={list}
        value={typed}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={trouble !== undefined}
        title={trouble}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          if (!event.currentTarget.value && value) choose("");
        }}
      />
      <datalist id={list}>
        {offered.map(({ id, slug, display_name }) => (
          <option key={id} value={slug}>
            {display_name}
          </option>
        ))}
      </datalist>
      {value && (
        <button
          type="button"
          class="icon-button"
          aria-label="Show of every account"
          onClick={() => {
            choose("");
            field.current?.focus();
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
