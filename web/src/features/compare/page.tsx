// Filled by another hand: this stands in until then.
import { useTitle } from "../../app/title";
import { EmptyState } from "../../ui/empty_state";

export default function ComparePage() {
  useTitle("ComparePage");
  return <EmptyState title="Soon" text="This page is being made." />;
}
