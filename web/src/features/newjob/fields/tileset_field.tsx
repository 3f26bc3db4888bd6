// A tileset of the account's.
import { listTilesets } from "../../../api/calls";
import { now } from "../../../app/clock";
import { useResource } from "../../../app/resource";
import { href } from "../../../app/router";
import { ago, size } from "../../../ui/format";
import { FieldFrame, helpId } from "./field_frame";
import type { FieldProps } from "./field_props";

export function TilesetField({ path, name, schema, required, value, change, problems }: FieldProps<string>) {
  const { value: list } = useResource("tilesets", (signal) => listTilesets({ limit: 100 }, { signal }));
  const tilesets = list?.tilesets ?? [];
  const isListed = !value || tilesets.some((tileset) => tileset.id === value);
  return (
    <FieldFrame path={path} name={name} schema={schema} required={required} problem={problems.get(path)}>
      <select
        id={path}
        class="input"
        value={value ?? ""}
        aria-describedby={helpId(path)}
        onChange={(event) => change(event.currentTarget.value || undefined)}
      >
        <option value="">{required ? "Choose a tileset" : "none"}</option>
        {!isListed && <option value={value}>{value}</option>}
        {tilesets.map((tileset) => (
          <option key={tileset.id} value={tileset.id}>
            {`${size(tileset.width, tileset.height)} ${tileset.format}, version ${tileset.version}, ${ago(Date.parse(tileset.updated_at), now.peek())} (${tileset.id.slice(-6)})`}
          </option>
        ))}
      </select>
      {value && (
        <a class="small-text" href={href(`/tilesets/${value}`)}>
          Open it, and draw patches on the picture
        </a>
      )}
    </FieldFrame>
  );
}
