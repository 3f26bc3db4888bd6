// What the tileset is, in numbers, and its end.
import { deleteTileset } from "../../api/calls";
import type { TilesetWithVersions } from "../../api/types";
import { may } from "../../app/account";
import { changeCount, tilesetCount } from "../../app/counts";
import { ask } from "../../app/dialogs";
import { notify } from "../../app/notices";
import { go } from "../../app/router";
import { CopyButton } from "../../ui/copy_button";
import { count, number, size } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { When } from "../../ui/when";

export function DetailsCard({ tileset, what }: { tileset: TilesetWithVersions | undefined; what: string }) {
  if (!tileset) return null;
  const { id, width, height, tile_size, max_zoom, tile_count, format, expires_at, created_at } = tileset;

  async function remove() {
    const gone = await ask({
      title: "Delete the tileset",
      text: `${what} goes with ${count(tileset?.versions.length ?? 1, "version")}: its addresses stop working at once, wherever they are in use. It can't be had back.`,
      action: "Delete tileset",
      danger: true,
      run: () => deleteTileset(id),
    });
    if (!gone) return;
    changeCount(tilesetCount, -1);
    go("/tilesets");
    void notify({ text: `${what} is deleted.` });
  }
  return (
    <section class="card card-part stack" aria-label="Details">
      <h2>Details</h2>
      <dl class="facts">
        <dt>Picture</dt>
        <dd>{size(width, height)} px</dd>
        <dt>Tiles</dt>
        <dd>
          {number(tile_count)} of {tile_size} px, {format}, zoom 0 to {max_zoom}
        </dd>
        <dt>Made</dt>
        <dd>
          <When at={created_at} />
        </dd>
        {expires_at && (
          <>
            <dt>Expires</dt>
            <dd>
              <When at={expires_at} />
            </dd>
          </>
        )}
        <dt>Id</dt>
        <dd class="row id-row">
          <span class="mono">{id}</span>
          <CopyButton text={id} label="Copy the id" />
        </dd>
      </dl>
      {may("data:delete") && (
        <div>
          <button type="button" class="button danger-quiet" onClick={() => void remove()}>
            <Icon name="trash" /> Delete …
          </button>
        </div>
      )}
    </section>
  );
}
