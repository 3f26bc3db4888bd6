// An address among the operators' that names no page.
import { href, path } from "../../../app/router";
import { useTitle } from "../../../app/title";
import { EmptyState } from "../../../ui/empty_state";

export function NoSuchPage() {
  useTitle("No such page");
  return (
    <EmptyState title="There is no such page" text={`Nothing is at ${path.value}. The link may be cut short, or old.`}>
      <a class="button primary" href={href("/operators")}>
        Go to the overview
      </a>
    </EmptyState>
  );
}
