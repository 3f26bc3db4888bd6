// An asset of the account's, chosen by its picture.
import { useState } from "preact/hooks";
import { readAsset } from "../../../api/calls";
import { assetPreview } from "../../../api/previews";
import { useResource } from "../../../app/resource";
import { size } from "../../../ui/format";
import { Thumb } from "../../../ui/thumb";
import { AssetPicker } from "../asset_picker";
import { FieldFrame, helpId } from "./field_frame";
import type { FieldProps } from "./field_props";

export function AssetField({ path, name, schema, required, value, change, problems }: FieldProps<string>) {
  const [open, setOpen] = useState(false);
  return (
    <FieldFrame path={path} name={name} schema={schema} required={required} problem={problems.get(path)}>
      <span class="asset-choice">
        {value && <ChosenAsset id={value} />}
        <button id={path} type="button" class="button" aria-describedby={helpId(path)} onClick={() => setOpen(true)}>
          {value ? "Change" : "Choose a picture"}
        </button>
        {value && !required && (
          <button type="button" class="button" onClick={() => change(undefined)}>
            None
          </button>
        )}
      </span>
      {open && (
        <AssetPicker
          choose={(asset) => {
            change(asset.id);
            setOpen(false);
          }}
          close={() => setOpen(false)}
        />
      )}
    </FieldFrame>
  );
}

function ChosenAsset({ id }: { id: string }) {
  const { value: asset, error } = useResource(id, (signal) => readAsset(id, { signal }));
  return (
    <>
      <Thumb name={id} load={() => assetPreview(id)} />
      <span class="asset-choice-words">
        <span class="cut">{asset?.original_filename ?? (error ? "It is gone, or can't be read" : id)}</span>
        {asset && <span class="muted small-text figures">{size(asset.width, asset.height)}</span>}
      </span>
    </>
  );
}
