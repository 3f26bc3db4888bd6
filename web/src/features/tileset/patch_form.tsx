// One patch in numbers, and what fills it.
import { useId } from "preact/hooks";
import { size } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { Segments } from "../../ui/segments";
import { AssetPicture } from "./asset_picture";
import { type Draft, type Fit, isColour } from "./editor";
import type { Rect, Shape } from "./pyramid";
import { withNumber } from "./rectangle";

interface Properties {
  draft: Draft;
  shape: Shape;
  change(change: Partial<Draft>): void;
  pick(): void;
  remove: (() => void) | undefined;
}

const numbers: { name: keyof Rect; label: string }[] = [
  { name: "x", label: "x" },
  { name: "y", label: "y" },
  { name: "width", label: "width" },
  { name: "height", label: "height" },
];

const fits: { value: Fit; name: string }[] = [
  { value: "fill", name: "Fill: stretched to it" },
  { value: "cover", name: "Cover: cut to it" },
  { value: "contain", name: "Contain: whole within it" },
];

export function PatchForm({ draft, shape, change, pick, remove }: Properties) {
  const id = useId();
  const wrong = draft.filling === "colour" && !isColour(draft.colour);
  return (
    <div class="stack tight">
      <div class="patch-numbers">
        {numbers.map(({ name, label }) => (
          <label key={name} class="patch-number">
            <span class="muted small-text">{label}</span>
            <input
              class="input"
              type="number"
              inputMode="numeric"
              step={1}
              min={name === "width" || name === "height" ? 1 : 0}
              value={draft.rect[name]}
              onChange={(event) => {
                const field = event.currentTarget;
                if (field.value !== "") change({ rect: withNumber(draft.rect, name, field.valueAsNumber, shape) });
                field.value = String(draft.rect[name]);
              }}
            />
          </label>
        ))}
      </div>
      <div class="row patch-filling-choice">
        <Segments
          label="Filled with"
          value={draft.filling}
          choices={[
            { value: "picture", name: "Picture" },
            { value: "colour", name: "Colour" },
          ]}
          choose={(filling) => {
            change({ filling });
            if (filling === "picture" && !draft.asset) pick();
          }}
        />
        {remove && (
          <button type="button" class="icon-button push" aria-label="Remove the patch" onClick={remove}>
            <Icon name="trash" />
          </button>
        )}
      </div>
      {draft.filling === "colour" ? (
        <div class="patch-colour">
          <input
            type="color"
            aria-label="Colour"
            value={/^#[0-9a-f]{6}/i.test(draft.colour) ? draft.colour.slice(0, 7) : "#000000"}
            onInput={(event) => change({ colour: event.currentTarget.value })}
          />
          <input
            class="input mono"
            aria-label="Colour by name or number"
            aria-invalid={wrong}
            aria-describedby={wrong ? id : undefined}
            value={draft.colour}
            spellcheck={false}
            onInput={(event) => change({ colour: event.currentTarget.value.trim() })}
          />
          {wrong && (
            <p id={id} class="field-bad">
              #rrggbb, #rrggbbaa, or a name that CSS has
            </p>
          )}
        </div>
      ) : (
        <div class="patch-asset">
          <button type="button" class="patch-asset-picture checker" aria-label="Choose another picture" onClick={pick}>
            {draft.asset && <AssetPicture id={draft.asset.id} />}
          </button>
          <div class="patch-asset-words">
            {draft.asset ? (
              <>
                <p class="cut" title={draft.asset.original_filename}>
                  {draft.asset.original_filename}
                </p>
                <p class="muted small-text figures">{size(draft.asset.width, draft.asset.height)}</p>
              </>
            ) : (
              <button type="button" class="button small" onClick={pick}>
                Choose a picture
              </button>
            )}
          </div>
          <label class="patch-fit">
            <span class="unseen">How the picture meets the patch</span>
            <select
              class="input"
              value={draft.fit}
              onChange={(event) => change({ fit: event.currentTarget.value as Fit })}
            >
              {fits.map(({ value, name }) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
    </div>
  );
}
