// How many there are; while some are selected, what can be done with them.

import { href } from "../../app/router";
import type { Extent } from "../../app/selection";
import { count } from "../../ui/format";

interface SelectionBarProps {
  extent: Extent;
  chosen: number;
  words: string;
  all(on: boolean): void;
  /** Undefined: the key may not. */
  remove: (() => void) | undefined;
}

export function SelectionBar({ extent, chosen, words, all, remove }: SelectionBarProps) {
  return (
    <div class="row assets-bar">
      <label class="check">
        <input
          type="checkbox"
          checked={extent === "all"}
          indeterminate={extent === "some"}
          onChange={(event) => all(event.currentTarget.checked)}
        />
        <span class="figures">{chosen > 0 ? `${count(chosen, "asset")} selected` : words}</span>
      </label>
      <div class="actions push">
        {chosen > 0 ? (
          <>
            <button type="button" class="button" onClick={() => all(false)}>
              Select none
            </button>
            <button type="button" class="button danger-quiet" disabled={!remove} onClick={remove}>
              Delete
            </button>
          </>
        ) : (
          <a class="button primary" href={href("/upload")}>
            Upload
          </a>
        )}
      </div>
    </div>
  );
}
