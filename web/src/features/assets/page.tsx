import { useTitle } from "../../app/title";
import { EmptyState } from "../../ui/empty_state";

export default function Page() {
  useTitle("Soon");
  return <EmptyState title="Soon" text="This page is being made." />;
}
