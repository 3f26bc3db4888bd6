// Shows a tileset in OpenSeadragon and tells the colours that its canvas has at points of the picture:
//   node view-openseadragon.mjs '{"template", "width", "height", "tile_size", "max_zoom", "views": [{"area": [x, y, w, h],
//   "points": [[x, y], …]}, …], "screenshot": FILE}'
// With "source" in the place of what stands before the views, the address of an info.json (IIIF) or a .dzi (Deep Zoom).
// The page comes from an address of its own, so that the canvas can be read only if the tiles come with CORS.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { withPage } from "./browser.mjs";

const wanted = JSON.parse(process.argv[2]);
const script = createRequire(import.meta.url).resolve("openseadragon");
const page = `<!doctype html><meta charset="utf-8"><title>viewer</title>
<style>html, body, #viewer { margin: 0; width: 100%; height: 100%; background: #444; }</style>
<div id="viewer"></div><script src="/openseadragon.js"></script>`;
const server = createServer(async (request, response) => {
    if (request.url === "/openseadragon.js") {
        response.setHeader("Content-Type", "text/javascript");
        response.end(await readFile(script));
    } else {
        response.setHeader("Content-Type", "text/html; charset=utf-8");
        response.end(page);
    }
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));

// In the page from here on.
function open({ source, template, width, height, tile_size, max_zoom }) {
    window.viewer = OpenSeadragon({
        id: "viewer", drawer: "canvas", crossOriginPolicy: "Anonymous", showNavigationControl: false,
        animationTime: 0, blendTime: 0, immediateRender: true, imageSmoothingEnabled: false,
        tileSources: source ?? {
            width, height, tileSize: tile_size, minLevel: 0, maxLevel: max_zoom,
            getTileUrl: (z, x, y) => template.replace("{z}", z).replace("{x}", x).replace("{y}", y),
        },
    });
    window.failures = [];
    viewer.addHandler("tile-load-failed", (event) => failures.push(`${event.tile.level}/${event.tile.x}/${event.tile.y}`));
    return new Promise((opened, failed) => {
        viewer.addHandler("open", () => opened());
        viewer.addHandler("open-failed", (event) => failed(new Error(event.message)));
    });
}

function look({ area, points }) {
    const image = viewer.world.getItemAt(0);
    viewer.viewport.fitBounds(image.imageToViewportRectangle(...area), true);
    return new Promise((seen) => {
        const read = () => {
            viewer.forceRedraw();
            requestAnimationFrame(() => requestAnimationFrame(() => {
                if (!image.getFullyLoaded()) return read();
                const canvas = viewer.drawer.canvas, pen = canvas.getContext("2d");
                const density = canvas.width / viewer.container.clientWidth;
                const colours = points.map(([x, y]) => {
                    const at = image.imageToViewerElementCoordinates(new OpenSeadragon.Point(x, y)).times(density);
                    return [...pen.getImageData(Math.floor(at.x), Math.floor(at.y), 1, 1).data].slice(0, 3);
                });
                const levels = image.lastDrawn?.map((drawn) => (drawn.tile ?? drawn).level) ?? [];
                seen({ colours, zoom: viewer.viewport.getZoom(), levels: [...new Set(levels)] });
            }));
        };
        read();
    });
}

try {
    const told = await withPage(async (tab) => {
        await tab.goto(`http://127.0.0.1:${server.address().port}/`);
        await tab.evaluate(open, wanted);
        const views = [];
        for (const view of wanted.views) {
            views.push(await tab.evaluate(look, view));
            if (wanted.screenshot) await tab.screenshot({ path: wanted.screenshot.replace("%", views.length) });
        }
        return { views, failures: await tab.evaluate(() => failures) };
    });
    console.log(JSON.stringify(told));
} finally {
    server.close();
}
