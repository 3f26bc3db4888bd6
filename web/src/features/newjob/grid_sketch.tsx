// The canvas of a grid_render at a small scale: background, lines, coloured blocks.
import { useEffect, useRef } from "preact/hooks";
import { number, size } from "../../ui/format";
import type { Options } from "./values";

const edge = 286;
/** Lines closer than this would be a grey area. */
const nearest = 3;

const asNumber = (value: unknown, otherwise: number): number =>
  typeof value === "number" && value > 0 ? value : otherwise;
const asColour = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;

export function GridSketch({ options }: { options: Options }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = asNumber(options.width, 0);
  const height = asNumber(options.height, 0);
  const cellWidth = asNumber(options.block_width, 0);
  const cellHeight = asNumber(options.block_height, cellWidth);
  const known = width > 0 && height > 0 && cellWidth > 0;
  useEffect(() => {
    const pen = canvas.current?.getContext("2d");
    if (!pen || !known || !canvas.current) return;
    const scale = Math.min(edge / width, 220 / height) * devicePixelRatio;
    canvas.current.width = Math.max(1, Math.round(width * scale));
    canvas.current.height = Math.max(1, Math.round(height * scale));
    pen.fillStyle = asColour(options.background, "#ffffff");
    pen.fillRect(0, 0, width * scale, height * scale);
    const line = options.line_width === 0 ? 0 : asNumber(options.line_width, 1);
    if (line > 0 && Math.min(cellWidth, cellHeight) * scale >= nearest) {
      pen.fillStyle = asColour(options.line_color, "#000000");
      const thick = Math.max(1, line * scale);
      for (let x = 0; x <= width; x += cellWidth)
        pen.fillRect(Math.min(x, width - line) * scale, 0, thick, height * scale);
      for (let y = 0; y <= height; y += cellHeight)
        pen.fillRect(0, Math.min(y, height - line) * scale, width * scale, thick);
    }
    for (const block of (Array.isArray(options.blocks) ? options.blocks : []) as Options[]) {
      pen.fillStyle = asColour(block.color, "#86929e");
      const [column, row] = [asNumber(block.column, 0), asNumber(block.row, 0)];
      const [columns, rows] = [asNumber(block.columns, 1), asNumber(block.rows, 1)];
      pen.fillRect(
        (column * cellWidth + line) * scale,
        (row * cellHeight + line) * scale,
        (columns * cellWidth - line) * scale,
        (rows * cellHeight - line) * scale,
      );
    }
  }, [options, known, width, height, cellWidth, cellHeight]);
  return (
    <section class="card sketch" aria-label="What will come of it">
      {known && (
        <div class="sketch-stage">
          <canvas ref={canvas} class="sketch-canvas" role="img" aria-label="The grid, small" />
        </div>
      )}
      <p class="card-part muted figures">
        {known
          ? `${size(width, height)}: ${number(Math.ceil(width / cellWidth))} × ${number(Math.ceil(height / cellHeight))} cells`
          : "Give width, height and the width of a cell."}
      </p>
    </section>
  );
}
