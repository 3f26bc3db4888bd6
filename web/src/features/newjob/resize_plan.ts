// What a resize does to a picture's shape, by the service's documented rules: which part is kept, how it is turned, how large it
// gets and where it lies in the result. Names are those of the service's own code.
import type { Asset } from "../../api/types";
import { type Options, positive } from "./values";

export type Sized = Pick<Asset, "width" | "height">;
export interface Place {
  left: number;
  top: number;
}

export interface ResizePlan {
  /** In the pixels of the picture as it is displayed. */
  part: Sized & Place;
  quarterTurns: number;
  /** After it was turned. */
  mirrored: { across: boolean; down: boolean };
  /** The part, turned and scaled. */
  scaled: Sized;
  result: Sized;
  /** Of the scaled part's corner in the result: before it where cover cuts. */
  at: Place;
}

const asNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));
const atLeastOne = (edge: number) => Math.max(1, Math.round(edge));

/** The options of each result: those of the job, or what each of `outputs` makes of them. */
export function resultsOf({ outputs, ...common }: Options): Options[] {
  if (!Array.isArray(outputs) || outputs.length === 0) return [common];
  return (outputs as Options[]).map((output) => {
    const has = (name: string) => output[name] !== undefined;
    const own = Object.entries(output).filter(([name]) => has(name));
    const taken = { ...common };
    if (has("width") || has("height")) taken.width = taken.height = undefined;
    if (has("focus")) taken.position = undefined;
    if (has("position")) taken.focus = undefined;
    return { ...taken, ...Object.fromEntries(own) };
  });
}

/** Undefined where no size is given yet. What `trim` takes away is known to the service alone. */
export function planOf(source: Sized, options: Options): ResizePlan | undefined {
  const part = croppedPart(source, options.crop as Options | undefined);
  const quarterTurns = ((asNumber(options.rotate) ?? 0) / 90) % 4;
  const mirrored = {
    across: options.flip === "horizontal" || options.flip === "both",
    down: options.flip === "vertical" || options.flip === "both",
  };
  const turned = quarterTurns % 2 ? { width: part.height, height: part.width } : part;
  const fitted = fitInto(turned, options);
  if (!fitted) return undefined;
  const { scaled, result } = fitted;
  const focus = options.focus as Options | undefined;
  const at = focus
    ? around(turnedPoint(shareIn(focus, source, part), quarterTurns, mirrored), scaled, result)
    : byPosition(options.position, scaled, result);
  return { part, quarterTurns, mirrored, scaled, result, at };
}

/** The size that a resize yields; undefined where it is not known, or its content decides. */
export function resizedTo(source: Sized, options: Options): Sized | undefined {
  return options.trim === undefined ? planOf(source, options)?.result : undefined;
}

function croppedPart(source: Sized, crop: Options | undefined): Sized & Place {
  const stretch = (from: unknown, length: unknown, edge: number): [number, number] => {
    const [start, long] = [asNumber(from) ?? 0, positive(length)];
    if (long === undefined) return [0, edge];
    const scale = crop?.unit === "fraction" ? edge : 1;
    const first = clamp(Math.round(start * scale), 0, edge - 1);
    return [first, clamp(Math.round((start + long) * scale), first + 1, edge) - first];
  };
  const [left, width] = stretch(crop?.x, crop?.width, source.width);
  const [top, height] = stretch(crop?.y, crop?.height, source.height);
  return { left, top, width, height };
}

function fitInto({ width, height }: Sized, options: Options): { scaled: Sized; result: Sized } | undefined {
  const dpr = positive(options.dpr) ?? 1;
  const box = (edge: unknown) => {
    const wanted = positive(edge);
    return wanted && atLeastOne(wanted * dpr);
  };
  const [across, down] = [box(options.width), box(options.height)];
  const grows = options.enlarge === true;
  const scaledBy = (share: number): Sized => ({ width: atLeastOne(width * share), height: atLeastOne(height * share) });
  const alike = (size: Sized) => ({ scaled: size, result: size });
  const held = (share: number) => (grows ? share : Math.min(1, share));
  if (!across || !down) {
    const share = across ? across / width : down ? down / height : undefined;
    return share === undefined ? undefined : alike(scaledBy(held(share)));
  }
  const [x, y] = [across / width, down / height];
  const asked = { width: across, height: down };
  switch (options.fit) {
    case "outside":
      return alike(scaledBy(held(Math.max(x, y))));
    case "contain":
      return { scaled: scaledBy(held(Math.min(x, y))), result: asked };
    case "fill":
      return alike(grows ? asked : { width: Math.min(across, width), height: Math.min(down, height) });
    case "cover": {
      // Without growing: the largest of the box's shape that the picture can fill.
      const shrink = grows ? 1 : Math.min(1, 1 / Math.max(x, y));
      const result = { width: atLeastOne(across * shrink), height: atLeastOne(down * shrink) };
      return { scaled: scaledBy(Math.max(result.width / width, result.height / height)), result };
    }
    default:
      return alike(scaledBy(held(Math.min(x, y))));
  }
}

/** Of a place in the picture as displayed, in shares: the same in shares of the part. */
function shareIn(focus: Options, source: Sized, part: Sized & Place): { x: number; y: number } {
  const share = (at: unknown, edge: number, from: number, length: number) =>
    clamp(((asNumber(at) ?? 0.5) * edge - from) / length, 0, 1);
  return {
    x: share(focus.x, source.width, part.left, part.width),
    y: share(focus.y, source.height, part.top, part.height),
  };
}

function turnedPoint({ x, y }: { x: number; y: number }, quarterTurns: number, mirrored: ResizePlan["mirrored"]) {
  let point = { x, y };
  for (let turn = 0; turn < quarterTurns; turn += 1) point = { x: 1 - point.y, y: point.x };
  return { x: mirrored.across ? 1 - point.x : point.x, y: mirrored.down ? 1 - point.y : point.y };
}

function around({ x, y }: { x: number; y: number }, scaled: Sized, result: Sized): Place {
  const start = (share: number, edge: number, window: number) =>
    0 - clamp(Math.round(share * edge - window / 2), 0, Math.max(0, edge - window));
  return { left: start(x, scaled.width, result.width), top: start(y, scaled.height, result.height) };
}

function byPosition(position: unknown, scaled: Sized, result: Sized): Place {
  const name = typeof position === "string" ? position : "centre";
  const along = (room: number, first: string, last: string) =>
    name.includes(first) ? 0 : name.includes(last) ? room : Math.trunc(room / 2);
  return {
    left: along(result.width - scaled.width, "west", "east"),
    top: along(result.height - scaled.height, "north", "south"),
  };
}
