// Where a picture lies in a frame: its scale, and the place of its upper left corner. Pure; <pinch-zoom> moves it.

export interface Size {
  width: number;
  height: number;
}

export interface Place {
  x: number;
  y: number;
  scale: number;
}

export const largest = 64; // times its own size
const kept = 64; // pixels of the picture that can't be pushed out of the frame

/** The scale at which all of it is in sight; a small picture is not enlarged. */
export function fitting(picture: Size, frame: Size, density = 1): number {
  return Math.min(1 / density, frame.width / picture.width, frame.height / picture.height);
}

function held(at: number, length: number, frame: number): number {
  const margin = Math.min(kept, length, frame);
  return Math.min(frame - margin, Math.max(margin - length, at));
}

/** The same place, moved so far that the picture can't be lost. */
export function within(place: Place, picture: Size, frame: Size): Place {
  return {
    scale: place.scale,
    x: held(place.x, picture.width * place.scale, frame.width),
    y: held(place.y, picture.height * place.scale, frame.height),
  };
}

export function centred(picture: Size, frame: Size, scale: number): Place {
  return { scale, x: (frame.width - picture.width * scale) / 2, y: (frame.height - picture.height * scale) / 2 };
}

/** Scaled so that what is under the point (in pixels of the frame) stays under it. */
export function scaledAround(place: Place, scale: number, x: number, y: number): Place {
  const ratio = scale / place.scale;
  return { scale, x: x - (x - place.x) * ratio, y: y - (y - place.y) * ratio };
}

/** Never smaller than a quarter of what fits, nor so large that a pixel fills the screen. */
export function bounded(scale: number, picture: Size, frame: Size, density = 1): number {
  return Math.min(largest / density, Math.max(fitting(picture, frame, density) / 4, scale));
}

/** "150", "150%", "1,5": what people type for a percentage, as a factor; null if it is none. */
export function typed(text: string): number | null {
  const number = Number(text.trim().replace(/\s*%$/, "").replace(",", "."));
  return text.trim() !== "" && Number.isFinite(number) && number > 0 ? number / 100 : null;
}
