// A time that may not be there.
import { When } from "../../../ui/when";

export function WhenSet({ at, none }: { at: string | null; none: string }) {
  return at ? <When at={at} /> : <span class="muted">{none}</span>;
}
