// Whether the list moves by itself.
import { liveness } from "../../api/events";

const words = {
  live: ["live", "Changes are told as they happen."],
  connecting: ["connecting", "Asking the service for its stream of events."],
  polling: ["every 4 s", "No stream can be had, so the list is read again every four seconds."],
  away: ["not live", "The service can't be reached; it is tried again by itself."],
} as const;

export function LiveMark() {
  const [short, long] = words[liveness.value];
  return (
    <span class={`live live-${liveness.value}`} title={long}>
      {short}
    </span>
  );
}
