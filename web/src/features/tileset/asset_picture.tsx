// A small picture of an asset, by its id: the service's own preview, which browsers can show whatever the asset's format.
import { useEffect, useState } from "preact/hooks";
import { assetPreview } from "../../api/previews";

export function AssetPicture({ id, class: className = "" }: { id: string; class?: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let live = true;
    setAddress(undefined);
    assetPreview(id).then(
      (found) => live && setAddress(found),
      () => undefined, // an empty place says enough
    );
    return () => {
      live = false;
    };
  }, [id]);
  return address ? <img class={className} src={address} alt="" draggable={false} /> : <span class={className} />;
}
