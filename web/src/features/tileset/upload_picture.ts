// Uploads one picture that a patch needs. (Many files at once, with progress, are the Upload page's.)
import { addressOf } from "../../api/address";
import { ApiError, Unreachable } from "../../api/errors";
import { refusalFrom } from "../../api/request";
import { key } from "../../api/session";
import type { Asset } from "../../api/types";
import { assetCount, changeCount } from "../../app/counts";

export async function uploadPicture(file: Blob, name: string, signal?: AbortSignal): Promise<Asset> {
  const form = new FormData();
  form.append("file", file, name);
  const answer = await fetch(addressOf("v1/assets"), {
    method: "POST",
    headers: { "X-API-Key": key.value ?? "" },
    body: form,
    signal: signal ?? null,
    credentials: "omit",
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : new Unreachable();
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw new ApiError(refusalFrom(answer.status, body, (header) => answer.headers.get(header)));
  changeCount(assetCount, 1);
  return body as Asset;
}
