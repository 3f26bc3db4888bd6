// A picture to try the service with, drawn here: hills at dusk with some detail to zoom into.
const width = 3_000;
const height = 2_000;

/** The same numbers each time, so that the sample is recognised as a duplicate when it is taken twice. */
function* chance(): Generator<number, never> {
  for (let seed = 20_261_116; ; ) {
    seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    yield seed / 4_294_967_296;
  }
}

export async function samplePicture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser can't draw a sample picture");
  const numbers = chance();
  const next = () => numbers.next().value;

  const sky = pen.createLinearGradient(0, 0, 0, height * 0.75);
  sky.addColorStop(0, "#1b2a4a");
  sky.addColorStop(0.45, "#5b4a78");
  sky.addColorStop(0.75, "#d9795d");
  sky.addColorStop(1, "#f6c667");
  pen.fillStyle = sky;
  pen.fillRect(0, 0, width, height);
  for (let star = 0; star < 900; star += 1) {
    pen.globalAlpha = next() * 0.9;
    pen.fillStyle = "#ffffff";
    const size = 0.6 + next() * 1.8;
    pen.fillRect(next() * width, next() * next() * height * 0.55, size, size);
  }
  pen.globalAlpha = 1;
  const sun = pen.createRadialGradient(2_080, 1_180, 20, 2_080, 1_180, 420);
  sun.addColorStop(0, "#fff6d8");
  sun.addColorStop(0.24, "#ffe08a");
  sun.addColorStop(1, "rgba(255, 190, 110, 0)");
  pen.fillStyle = sun;
  pen.fillRect(1_400, 600, 1_400, 1_200);

  const hills = ["#7d5a73", "#5c4a6b", "#40405f", "#2a334c", "#18243a"];
  hills.forEach((colour, layer) => {
    const base = height * (0.56 + layer * 0.09);
    const phase = next() * 6;
    const top = (x: number) =>
      base +
      Math.sin(x / (420 - layer * 40) + phase) * (70 - layer * 6) +
      Math.sin(x / 97 + phase * 3) * 18 +
      Math.sin(x / 23 + phase * 7) * 4;
    pen.fillStyle = colour;
    pen.beginPath();
    pen.moveTo(0, height);
    for (let x = 0; x <= width; x += 4) pen.lineTo(x, top(x));
    pen.lineTo(width, height);
    pen.fill();
    // Trees, windows and, when one zooms in, their small lights.
    for (let tree = 0; tree < 90 + layer * 60; tree += 1) {
      const x = next() * width;
      const tall = (10 + next() * 22) * (0.6 + layer * 0.35);
      pen.beginPath();
      pen.moveTo(x, top(x) - tall);
      pen.lineTo(x + tall * 0.28, top(x) + 4);
      pen.lineTo(x - tall * 0.28, top(x) + 4);
      pen.fill();
    }
    if (layer < 2) return;
    for (let light = 0; light < 70; light += 1) {
      const x = next() * width;
      pen.fillStyle = next() > 0.25 ? "#ffd98a" : "#9fe3d8";
      pen.fillRect(x, top(x) + 20 + next() * 120, 2 + next() * 2, 2 + next() * 3);
    }
  });
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
}
