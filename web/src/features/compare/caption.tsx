// What a side is: format, quality, size; and that what is shown is not the file itself, where it is not.
import { bytes, size } from "../../ui/format";
import type { Side } from "./job_sides";
import type { Picture } from "./picture";

interface Properties {
  side: Side;
  title: string;
  shown: Picture | "waiting" | "unshowable";
  renew(): void;
  right?: boolean;
}

export function Caption({ side, title, shown, renew, right = false }: Properties) {
  const words = [title === "Result" ? side.format : `${title} · ${side.format}`, side.quality, bytes(side.bytes)]
    .filter(Boolean)
    .join(" · ");
  return (
    <div class={`caption ${right ? "right" : "left"}`}>
      <strong class="figures">{words}</strong>
      <span class="caption-size figures">{size(side.width, side.height)}</span>
      {shown === "unshowable" && (
        <span class="caption-note" role="status">
          This browser can't show {side.format}: download it to see it, or{" "}
          <button type="button" class="link-button" onClick={renew}>
            try again
          </button>
        </span>
      )}
      {typeof shown === "object" && shown.isPreview && (
        <span class="caption-note" role="status">
          This browser can't show {side.format}: this is the service's preview, of 512 pixels at most.
        </span>
      )}
    </div>
  );
}
