// Opens a page of examples/viewers as it is, and tells what is on the screen:
//   node view-example.mjs '{"url", "viewer": "openseadragon" | "leaflet" | "maplibre", "service": ADDRESS, "within": 6,
//   "views": [{"area": [x, y, w, h] | null, "points": [[x, y, [r, g, b]], …]}, …], "window": [w, h], "screenshot": FILE}'
// Libraries come from node_modules in the place of the address that the page names; nothing else but the service is asked.
// A view is looked at until its points have their colours, or for half a minute.
import { readFile } from "node:fs/promises";
import { withPage } from "./browser.mjs";

const wanted = JSON.parse(process.argv[2]);
const modules = new URL("./node_modules/", import.meta.url);
const types = { js: "text/javascript", css: "text/css", png: "image/png" };

async function library(route) {
    const [, name, version, path] = route.request().url().match(/^https:\/\/unpkg\.com\/([\w-]+)@([\d.]+)\/(.+)$/);
    const installed = JSON.parse(await readFile(new URL(`${name}/package.json`, modules))).version;
    if (version !== installed) throw new Error(`the page wants ${name} ${version}, and ${installed} is installed`);
    await route.fulfill({
        body: await readFile(new URL(`${name}/${path}`, modules)),
        headers: { "Content-Type": types[path.split(".").pop()], "Access-Control-Allow-Origin": "*" },
    });
}

// In the page: shows an area of the picture (null: leaves what the page shows) and says where its points are then.
const show = {
    openseadragon: ({ area, points }) => {
        const image = viewer.world.getItemAt(0);
        if (!image) return null;
        if (area) viewer.viewport.fitBounds(image.imageToViewportRectangle(...area), true);
        return points.map(([x, y]) => image.imageToViewerElementCoordinates(new OpenSeadragon.Point(x, y)));
    },
    leaflet: ({ area, points }) => {
        if (area) map.fitBounds([at(area[0], area[1]), at(area[0] + area[2], area[1] + area[3])], { animate: false });
        return points.map(([x, y]) => map.latLngToContainerPoint(at(x, y)));
    },
    maplibre: ({ area, points }) => {
        const [x, y, width, height] = area ?? [];
        if (area) map.fitBounds([at(x, y + height), at(x + width, y)], { animate: false });
        return points.map(([x, y]) => map.project(at(x, y)));
    },
}[wanted.viewer];

async function coloursAt(reader, picture, places) {
    return reader.evaluate(async ([base64, places]) => {
        const bytes = await (await fetch(`data:image/png;base64,${base64}`)).blob();
        const bitmap = await createImageBitmap(bytes);
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        pen.drawImage(bitmap, 0, 0);
        return places.map(({ x, y }) => [...pen.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3));
    }, [picture.toString("base64"), places]);
}

function near(seen, colour) {
    return seen.every((value, band) => Math.abs(value - colour[band]) <= wanted.within);
}

async function look(tab, reader, view, number) {
    const deadline = Date.now() + 30_000;
    for (;;) {
        const places = await tab.evaluate(show, view);
        const picture = places && await tab.screenshot();
        const colours = picture && await coloursAt(reader, picture, places);
        const right = colours?.every((seen, index) => near(seen, view.points[index][2]));
        if (!right && Date.now() < deadline) continue;
        const path = wanted.screenshot?.replace("%", number);
        if (path) await tab.screenshot({ path });
        return { right, colours, places };
    }
}

const told = await withPage(async (tab) => {
    const asked = [], refused = [];
    const reader = await tab.context().browser().newPage();
    if (wanted.window) await tab.setViewportSize({ width: wanted.window[0], height: wanted.window[1] });
    await tab.route((url) => !url.href.startsWith(wanted.service) && url.protocol === "https:", library);
    tab.on("request", (request) => asked.push({ url: request.url(), key: request.headers()["x-api-key"] ?? null }));
    tab.on("response", (answer) => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`));
    await tab.goto(wanted.url);
    const views = [];
    for (const view of wanted.views) views.push(await look(tab, reader, view, views.length + 1));
    return { views, asked, refused };
}, ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--force-color-profile=srgb"]);
console.log(JSON.stringify(told));
