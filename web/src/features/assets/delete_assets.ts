// Deleting assets, after asking.
import { deleteAsset } from "../../api/calls";
import { isNotFound } from "../../api/errors";
import { assetCount, changeCount } from "../../app/counts";
import { ask } from "../../app/dialogs";
import { notify } from "../../app/notices";
import { count } from "../../ui/format";

/** True when all are gone; `gone` is called for each. */
export async function deleteAssets(
  ids: readonly string[],
  name: string | undefined,
  gone: (id: string) => void,
): Promise<boolean> {
  const what = ids.length === 1 && name ? name : count(ids.length, "asset");
  const done = await ask({
    title: `Delete ${what}?`,
    text:
      `${ids.length === 1 ? "The file is" : `All ${ids.length} files are`} gone for good. What jobs made of ${ids.length === 1 ? "it" : "them"} stays. ` +
      `Jobs that still wait for ${ids.length === 1 ? "it" : "them"} fail, and their credits come back.`,
    action: `Delete ${ids.length === 1 ? "the asset" : what}`,
    danger: true,
    run: async () => {
      for (const id of ids) {
        try {
          await deleteAsset(id);
        } catch (error) {
          if (!isNotFound(error)) throw error; // gone is gone
        }
        changeCount(assetCount, -1);
        gone(id);
      }
    },
  });
  if (done) void notify({ text: `${what} deleted.` });
  return done;
}
