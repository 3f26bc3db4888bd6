// Where an overlay lies in a result, and how large it is, by the service's documented rules.
import { type Place, planOf, type Sized } from "./resize_plan";
import type { Options } from "./values";

export function overlayPlace(overlay: Options, own: Sized, result: Sized): Sized & Place {
  const scale = typeof overlay.scale === "number" ? overlay.scale : undefined;
  const box = {
    width: scale === undefined ? result.width : Math.max(1, Math.round(scale * result.width)),
    height: result.height,
    enlarge: scale !== undefined,
  };
  const { width, height } = planOf(own, box)?.result ?? own;
  if (typeof overlay.x === "number" && typeof overlay.y === "number")
    return { width, height, left: overlay.x, top: overlay.y };
  const position = typeof overlay.position === "string" ? overlay.position : "southeast";
  const margin = typeof overlay.margin === "number" ? overlay.margin : 0;
  const along = (room: number, first: string, last: string) => {
    if (position.includes(first)) return Math.min(margin, room);
    return position.includes(last) ? Math.max(0, room - margin) : Math.trunc(room / 2);
  };
  return {
    width,
    height,
    left: along(result.width - width, "west", "east"),
    top: along(result.height - height, "north", "south"),
  };
}
