// An address that names no page.
import { EmptyState } from "../ui/empty_state";
import { href, path } from "./router";
import { useTitle } from "./title";

export function NotFound() {
  useTitle("No such page");
  return (
    <EmptyState title="There is no such page" text={`Nothing is at ${path.value}. The link may be cut short, or old.`}>
      <a class="button primary" href={href("/")}>
        Go to the start
      </a>
    </EmptyState>
  );
}
