// The state of a delivery, with what the receiver answered last.
import type { Delivery } from "../api/types";
import { Pill } from "../parts/pill";

const tones = { pending: "busy", delivered: "good", failed: "bad" } as const;

export function DeliveryState({ delivery }: { delivery: Delivery }) {
  return <Pill tone={tones[delivery.state]}>{delivery.state}</Pill>;
}

export const lastAnswer = ({ last_status, last_error }: Delivery): string =>
  last_status !== null ? `answered ${last_status}` : (last_error ?? "not tried yet");
