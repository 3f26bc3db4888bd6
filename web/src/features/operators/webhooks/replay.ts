// Sends a delivery once more.
import { notify } from "../../../app/notices";
import { replayDelivery } from "../api/calls";
import type { Delivery } from "../api/types";
import { tellFailure } from "../parts/tell_failure";

export async function replay(delivery: Delivery): Promise<Delivery | undefined> {
  try {
    const next = await replayDelivery(delivery.id);
    void notify({ text: "It is sent again." });
    return next;
  } catch (error) {
    tellFailure(error);
    return undefined;
  }
}
