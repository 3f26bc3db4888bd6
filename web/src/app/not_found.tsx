// An address that names no page.
import { EmptyState } from "../ui/empty_state";
import { href, path } from "./router";
import { useTitle } from "./title";

interface NotFoundProps {
  /** Where to go instead, and what that is called. */
  start?: string;
  name?: string;
}

export function NotFound({ start = "/", name = "the start" }: NotFoundProps) {
  useTitle("No such page");
  return (
    <EmptyState title="There is no such page" text={`Nothing is at ${path.value}. The link may be cut short, or old.`}>
      <a class="button primary" href={href(start)}>
        Go to {name}
      </a>
    </EmptyState>
  );
}
