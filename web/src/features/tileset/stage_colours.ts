// The colours of what is drawn on the canvas, from the page's tokens, so that themes reach it too.
import type { Colours } from "./overlay";

let read: { dark: boolean; colours: Colours } | undefined;

export function coloursOf(element: Element): Colours {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  if (read?.dark === dark) return read.colours;
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  read = {
    dark,
    colours: {
      line: "rgb(255 255 255 / .75)",
      text: "#fff",
      touched: value("--touched"),
      flash: value("--flash"),
    },
  };
  return read.colours;
}
