// Where viewers of the IIIF Image API find the asset, for accounts that have the feature.
import { readAssetAddresses } from "../../api/calls";
import { wordsOf } from "../../api/errors";
import { account } from "../../app/account";
import { useResource } from "../../app/resource";
import { CopyButton } from "../../ui/copy_button";
import { here } from "../../ui/format";

export function ViewersCard({ id }: { id: string }) {
  return account.value?.entitlements.asset_pictures?.enabled ? <Addresses id={id} /> : null;
}

function Addresses({ id }: { id: string }) {
  const { value, error } = useResource(`addresses of ${id}`, (signal) => readAssetAddresses(id, { signal }));
  const address = value && `${(value.public ?? value.keyed).iiif}/info.json`;
  return (
    <section class="card card-part stack tight" aria-label="For viewers">
      <h2>For viewers</h2>
      {address && (
        <p class="with-copy">
          <span class="mono cut">{address}</span>
          <CopyButton text={address} label="Copy the address of info.json" />
        </p>
      )}
      <p class="muted small-text">
        {error
          ? wordsOf(error)
          : value?.public
            ? `IIIF, signed: for OpenSeadragon, Mirador and others, in any page, until ${here(value.public.expires_at)}.`
            : "IIIF, with the key in its header. Never put one into a page that others can open."}
      </p>
    </section>
  );
}
