// The page of `tessera tiles serve`: a viewer in one file, with no library and nothing from elsewhere.
#pragma once

namespace tessera::app {

inline constexpr const char* viewer_page = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tiles</title>
<style>
  html, body { margin: 0; height: 100%; font: 14px/1.4 system-ui, sans-serif; overflow: hidden; }
  #stage { position: absolute; inset: 0; cursor: grab; touch-action: none;
           background: repeating-conic-gradient(#ddd 0 25%, #eee 0 50%) 0 0 / 24px 24px; }
  #stage img { position: absolute; transform-origin: 0 0; image-rendering: auto; user-select: none; pointer-events: none; }
  #about { position: absolute; left: 12px; bottom: 12px; padding: 6px 10px; background: #fffc; border-radius: 4px; }
</style>
<div id="stage" tabindex="0" aria-label="Picture: drag to move, scroll or press + and - to zoom"></div>
<div id="about" role="status"></div>
<script>
"use strict";
const stage = document.getElementById("stage"), about = document.getElementById("about");
let info, view = { x: 0, y: 0, scale: 1 }, shown = new Map();

function fit() {
  view.scale = Math.min(stage.clientWidth / info.width, stage.clientHeight / info.height, 1);
  view.x = (stage.clientWidth - info.width * view.scale) / 2;
  view.y = (stage.clientHeight - info.height * view.scale) / 2;
}

// Tiles of the zoom that is nearest to the scale, where they are in sight; those of other zooms go once these are there.
function draw() {
  const steps = Math.min(info.max_zoom, Math.max(0, Math.floor(-Math.log2(view.scale * devicePixelRatio))));
  const z = info.max_zoom - steps, size = info.tile_size, side = size * 2 ** steps * view.scale;
  const columns = Math.ceil(Math.ceil(info.width / 2 ** steps) / size), rows = Math.ceil(Math.ceil(info.height / 2 ** steps) / size);
  const wanted = new Set();
  for (let y = Math.max(0, Math.floor(-view.y / side)); y < Math.min(rows, (stage.clientHeight - view.y) / side); ++y) {
    for (let x = Math.max(0, Math.floor(-view.x / side)); x < Math.min(columns, (stage.clientWidth - view.x) / side); ++x) {
      const key = `${z}/${x}/${y}`;
      wanted.add(key);
      if (shown.has(key)) continue;
      const image = new Image(size, size);
      image.alt = "";
      image.onload = draw;
      image.src = `/${key}`;
      stage.append(image);
      shown.set(key, { image, z, x, y });
    }
  }
  const ready = [...wanted].every((key) => shown.get(key).image.complete);
  for (const [key, tile] of shown) {
    const unit = size * 2 ** (info.max_zoom - tile.z) * view.scale;
    if (!wanted.has(key) && (ready || tile.z > z)) { tile.image.remove(); shown.delete(key); continue; }
    tile.image.style.zIndex = tile.z;
    tile.image.style.transform = `translate(${view.x + tile.x * unit}px, ${view.y + tile.y * unit}px) scale(${unit / size})`;
  }
  about.textContent = `${info.width} × ${info.height}, ${info.format}, zoom ${z} of ${info.max_zoom}`;
}

function zoom(factor, x, y) {
  const scale = Math.min(8, Math.max(view.scale * factor, 64 / Math.max(info.width, info.height)));
  view.x = x - (x - view.x) * scale / view.scale;
  view.y = y - (y - view.y) * scale / view.scale;
  view.scale = scale;
  draw();
}

stage.addEventListener("wheel", (event) => { event.preventDefault(); zoom(2 ** (-event.deltaY / 300), event.clientX, event.clientY); }, { passive: false });
stage.addEventListener("pointerdown", (event) => stage.setPointerCapture(event.pointerId));
stage.addEventListener("pointermove", (event) => {
  if (!event.buttons) return;
  view.x += event.movementX; view.y += event.movementY; draw();
});
addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [100, 0], ArrowRight: [-100, 0], ArrowUp: [0, 100], ArrowDown: [0, -100] }[event.key];
  if (step) { view.x += step[0]; view.y += step[1]; draw(); }
  if (event.key === "+" || event.key === "=") zoom(2, stage.clientWidth / 2, stage.clientHeight / 2);
  if (event.key === "-") zoom(0.5, stage.clientWidth / 2, stage.clientHeight / 2);
  if (event.key === "0") { fit(); draw(); }
});
addEventListener("resize", draw);
fetch("/archive.json").then((answer) => answer.json()).then((told) => { info = told; document.title = info.name; fit(); draw(); });
</script>
</html>
)html";

}  // namespace tessera::app
