// Filled by another hand: this stands in until then.
import { useTitle } from "../../app/title";
import { EmptyState } from "../../ui/empty_state";

export default function TilesetsPage() {
  useTitle("TilesetsPage");
  return <EmptyState title="Soon" text="This page is being made." />;
}
