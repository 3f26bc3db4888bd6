// The account's assets, newest first, read page by page as they are scrolled to.
import { batch, signal } from "@preact/signals";
import { listAssets } from "../../api/calls";
import { isCancelled } from "../../api/errors";
import { key } from "../../api/session";
import type { ListedAsset } from "../../api/types";

export class AssetRows {
  readonly rows = signal<readonly ListedAsset[] | undefined>(undefined);
  readonly error = signal<unknown>(undefined);
  readonly atEnd = signal(false);
  private cursor: string | undefined;
  private loading = false;

  async more(): Promise<void> {
    if (this.loading || this.atEnd.value) return;
    this.loading = true;
    try {
      const page = await listAssets({ limit: 100, cursor: this.cursor });
      this.cursor = page.next_cursor ?? undefined;
      batch(() => {
        this.rows.value = [...(this.rows.value ?? []), ...page.assets];
        this.error.value = undefined;
        this.atEnd.value = page.next_cursor === null;
      });
    } catch (error) {
      if (!isCancelled(error)) this.error.value = error;
    } finally {
      this.loading = false;
    }
  }

  /** The newest page again; what is there stays in its place. */
  async refresh(): Promise<void> {
    if (!this.rows.value) return this.more();
    try {
      const page = await listAssets({ limit: 100 });
      const known = new Set(this.rows.value.map((asset) => asset.id));
      this.rows.value = [...page.assets.filter((asset) => !known.has(asset.id)), ...this.rows.value];
    } catch {
      // What is in sight stays; the line at the top tells when the service is away.
    }
  }

  remove(id: string): void {
    this.rows.value = this.rows.value?.filter((asset) => asset.id !== id);
  }
}

export let assetRows = new AssetRows();
key.subscribe(() => {
  assetRows = new AssetRows();
});
