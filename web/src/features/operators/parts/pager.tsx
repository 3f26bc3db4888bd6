// The way through a list that is read a page at a time. The page stands in the address: links and "back" lead to it.
import { go, href, path } from "../../../app/router";
import { count } from "../../../ui/format";

interface PagerProps {
  /** What the address says now, without its place in the list. */
  query: Record<string, string>;
  cursor: string;
  next: string | null;
  shown: number;
  one: string;
  many?: string;
}

export const aCursor = {
  parse: (text: string) => (/^[\w.~=:+/-]{1,400}$/.test(text) ? text : undefined),
  text: (value: string) => value,
  initial: "",
};

export function Pager({ query, cursor, next, shown, one, many }: PagerProps) {
  if (!cursor && !next) {
    return <p class="muted small-text op-pager-all figures">{count(shown, one, many)}, all of them</p>;
  }
  return (
    <nav class="row op-pager" aria-label="Pages">
      {cursor && (
        <a class="button" href={href(path.value, query)}>
          First page
        </a>
      )}
      <span class="muted small-text figures">{count(shown, one, many)} on this page</span>
      {next && (
        <button type="button" class="button" onClick={() => go(path.value, { ...query, cursor: next })}>
          Next page
        </button>
      )}
    </nav>
  );
}
