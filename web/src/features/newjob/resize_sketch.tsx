// What a resize will make, drawn from the service's previews: the part that is kept, turned, in its place.
import { useEffect, useRef } from "preact/hooks";
import { readAsset } from "../../api/calls";
import { assetPreview } from "../../api/previews";
import type { Asset } from "../../api/types";
import { useResource } from "../../app/resource";
import { size } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { overlayPlace } from "./overlay_place";
import { planOf, type ResizePlan, resizedTo, resultsOf } from "./resize_plan";
import type { Options } from "./values";

const most = { width: 286, height: 220 };

interface Shown {
  picture: HTMLImageElement;
  /** Missing while none is chosen. */
  overlay: { picture: HTMLImageElement; asset: Asset } | undefined;
}

export function ResizeSketch({ options, asset }: { options: Options; asset: Asset }) {
  const results = resultsOf(options);
  const first = results[0] ?? {};
  const whole = { width: asset.width, height: asset.height };
  const plan = planOf(asset, first) ?? planOf(asset, { ...first, ...whole, fit: "inside", enlarge: false, dpr: 1 });
  const over = (options.overlay as Options | undefined)?.asset_id;
  const { value: shown, error } = useResource(`sketch ${asset.id} ${over ?? ""}`, async (signal) => ({
    picture: await loaded(await assetPreview(asset.id)),
    overlay: typeof over === "string" && over !== "" ? await overlayOf(over, signal) : undefined,
  }));
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current && plan && shown) draw(canvas.current, plan, first, asset, shown);
  });
  return (
    <section class="card sketch" aria-label="What will come of it">
      <div class="sketch-stage">
        {error ? (
          <Icon name="assets" />
        ) : (
          <canvas
            ref={canvas}
            class="sketch-canvas checker"
            role="img"
            aria-label="The result, small"
            style={{ width: `${(plan?.result.width ?? 1) * scaleOf(plan)}px` }}
          />
        )}
      </div>
      <p class="card-part muted figures">{wordsFor(asset, results)}</p>
    </section>
  );
}

const scaleOf = (plan: ResizePlan | undefined) =>
  plan ? Math.min(most.width / plan.result.width, most.height / plan.result.height) : 1;

function wordsFor(asset: Asset, results: Options[]): string {
  const from = size(asset.width, asset.height);
  if (results.some((one) => one.trim !== undefined))
    return `${from}; the size depends on the borders that are cut off.`;
  const sizes = results.map((one) => resizedTo(asset, one));
  if (sizes.some((one) => one === undefined)) return "Give a width or a height.";
  return `${from} → ${sizes.map((one) => one && size(one.width, one.height)).join(", ")}`;
}

async function loaded(address: string): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  return picture;
}

/** An overlay that can't be shown is left out of the sketch; the service says what is wrong with it. */
async function overlayOf(id: string, signal: AbortSignal): Promise<Shown["overlay"]> {
  try {
    const [asset, address] = await Promise.all([readAsset(id, { signal }), assetPreview(id)]);
    return { picture: await loaded(address), asset };
  } catch {
    return undefined;
  }
}

function draw(canvas: HTMLCanvasElement, plan: ResizePlan, options: Options, asset: Asset, shown: Shown): void {
  const { result } = plan;
  const scale = scaleOf(plan) * devicePixelRatio;
  canvas.width = Math.max(1, Math.round(result.width * scale));
  canvas.height = Math.max(1, Math.round(result.height * scale));
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.imageSmoothingQuality = "high";
  pen.scale(canvas.width / result.width, canvas.height / result.height);
  if (typeof options.background === "string") {
    pen.fillStyle = options.background;
    pen.fillRect(0, 0, result.width, result.height);
  }
  drawPart(pen, plan, asset, shown.picture);
  if (typeof options.blur === "number" && options.blur > 0) {
    // Over what is there: edges would let the background through otherwise.
    pen.filter = `blur(${options.blur * scale}px)`;
    drawPart(pen, plan, asset, shown.picture);
    pen.filter = "none";
  }
  const overlay = options.overlay as Options | undefined;
  if (!overlay || !shown.overlay) return;
  const place = overlayPlace(overlay, shown.overlay.asset, result);
  pen.globalAlpha = typeof overlay.opacity === "number" ? overlay.opacity : 1;
  pen.drawImage(shown.overlay.picture, place.left, place.top, place.width, place.height);
}

function drawPart(pen: CanvasRenderingContext2D, plan: ResizePlan, asset: Asset, picture: HTMLImageElement): void {
  const { scaled, part, at, quarterTurns, mirrored } = plan;
  const share = picture.naturalWidth / asset.width;
  const lying = quarterTurns % 2 ? { width: scaled.height, height: scaled.width } : scaled;
  pen.save();
  pen.translate(at.left + scaled.width / 2, at.top + scaled.height / 2);
  pen.scale(mirrored.across ? -1 : 1, mirrored.down ? -1 : 1);
  pen.rotate((quarterTurns * Math.PI) / 2);
  pen.drawImage(
    picture,
    part.left * share,
    part.top * share,
    part.width * share,
    part.height * share,
    -lying.width / 2,
    -lying.height / 2,
    lying.width,
    lying.height,
  );
  pen.restore();
}
