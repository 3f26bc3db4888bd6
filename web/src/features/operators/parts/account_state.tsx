// The state of an account, in words.
import type { AccountState as State } from "../api/types";
import { Pill, type Tone } from "./pill";

const tones: Record<State, Tone> = { active: "good", suspended: "busy", being_erased: "bad", erased: "quiet" };

export const stateName = (state: State): string => state.replace("_", " ");

export function AccountState({ state }: { state: State }) {
  return <Pill tone={tones[state] ?? "quiet"}>{stateName(state)}</Pill>;
}
