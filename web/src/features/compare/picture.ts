// A picture for the frame, decoded before it is shown. What the browser can't decode is shown by the service's preview.
import { assetPreview } from "../../api/previews";
import type { Side } from "./job_sides";

export interface Picture {
  address: string;
  /** It is the small preview, since this browser can't show the file itself. */
  isPreview: boolean;
}

async function decodes(address: string): Promise<boolean> {
  const image = new Image();
  image.src = address;
  return image.decode().then(
    () => true,
    () => false,
  );
}

/** Undefined: it can't be shown here at all. */
export async function pictureOf(side: Side): Promise<Picture | undefined> {
  if (await decodes(side.address)) return { address: side.address, isPreview: false };
  if (!side.preview) return undefined;
  const address = await assetPreview(side.preview).catch(() => undefined);
  return address && (await decodes(address)) ? { address, isPreview: true } : undefined;
}
