// Questions about the screen, as signals.
import { type ReadonlySignal, signal } from "@preact/signals";

function media(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const answer = signal(list.matches);
  list.addEventListener("change", () => {
    answer.value = list.matches;
  });
  return answer;
}

export const isPhone = media("(max-width: 600px)");
