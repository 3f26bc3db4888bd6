// A small picture of an asset, by its id: the service's own preview, which browsers can show whatever the asset's format.
import { useEffect, useState } from "preact/hooks";
import { requestBlob } from "../../api/request";

const kept = new Map<string, Promise<string>>();

export function previewAddress(id: string): Promise<string> {
  let address = kept.get(id);
  if (!address) {
    address = requestBlob(`v1/assets/${id}/preview`).then((blob) => URL.createObjectURL(blob));
    address.catch(() => kept.delete(id));
    kept.set(id, address);
  }
  return address;
}

export function AssetPicture({ id, class: className = "" }: { id: string; class?: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let live = true;
    setAddress(undefined);
    previewAddress(id).then(
      (found) => live && setAddress(found),
      () => undefined, // an empty place says enough
    );
    return () => {
      live = false;
    };
  }, [id]);
  return address ? <img class={className} src={address} alt="" draggable={false} /> : <span class={className} />;
}
