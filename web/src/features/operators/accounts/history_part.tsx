// The last thirty days of the account.
import { useResource } from "../../../app/resource";
import { DayChart } from "../../../ui/day_chart";
import { ErrorCard } from "../../../ui/error_card";
import { readAccountUsage } from "../api/calls";

export function HistoryPart({ id }: { id: string }) {
  const read = useResource(id, (signal) => readAccountUsage(id, { signal }));
  if (read.error !== undefined) {
    return <ErrorCard title="The history could not be read" error={read.error} retry={read.reload} />;
  }
  return read.value ? <DayChart days={read.value.days} /> : null;
}
