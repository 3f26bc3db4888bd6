// What a patch will show: its colour, or its picture as `fit` places it.
import { AssetPicture } from "./asset_picture";
import { type Draft, isColour } from "./editor";

export function PatchFilling({ draft }: { draft: Draft }) {
  if (draft.filling === "picture" && draft.asset) {
    return <AssetPicture id={draft.asset.id} class={`patch-filling fit-${draft.fit}`} />;
  }
  const colour = draft.filling === "colour" && isColour(draft.colour) ? draft.colour : undefined;
  return <div class={`patch-filling ${colour ? "" : "empty"}`} style={colour ? { background: colour } : {}} />;
}
