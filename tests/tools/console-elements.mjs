// The console's custom elements, alone in a page, moved by pointer and keys: node console-elements.mjs
// Tells as JSON where the bar and the picture were after each act.
import { createRequire } from "node:module";
import { withPage } from "./browser.mjs";

const web = new URL("../../web/", import.meta.url);
const { buildSync } = createRequire(new URL("package.json", web))("esbuild");
const bundle = buildSync({
    stdin: {
        contents: 'import "./src/elements/compare_slider"; import "./src/elements/pinch_zoom";',
        resolveDir: web.pathname,
    },
    bundle: true,
    format: "iife",
    target: "es2022",
    write: false,
}).outputFiles[0].text;

const page = `<!doctype html><style>
body { margin: 0; } pinch-zoom, compare-slider { position: absolute; inset: 0; } #frame { position: absolute; width: 800px; height: 400px; }
.side { position: absolute; inset: 0; }
.picture { position: absolute; width: 1600px; height: 1200px; transform-origin: 0 0;
    transform: translate(var(--pan-x), var(--pan-y)) scale(var(--zoom)); background: teal; }
</style><input id="field" style="position: absolute; top: 500px">
<div id="frame"><pinch-zoom width="1600" height="1200"><compare-slider label="Bar">
<div slot="first" class="side"><div class="picture" id="a"></div></div><div slot="second" class="side"><div class="picture" id="b"></div></div>
</compare-slider></pinch-zoom></div>`;

const told = await withPage(async (tab) => {
    await tab.setContent(page);
    await tab.evaluate(bundle);
    const shares = {};
    const share = () => tab.locator("compare-slider").evaluate((element) => element.share);
    const bar = () => tab.getByRole("slider", { name: "Bar" });
    const middle = async () => {
        const { x, y, width, height } = await bar().boundingBox();
        return { x: x + width / 2, y: y + height / 2 };
    };
    const drag = async (dx, dy, off = 0) => {
        const { x, y } = await middle();
        await tab.mouse.move(x + off, y);
        await tab.mouse.down();
        await tab.mouse.move(x + off + dx / 2, y + dy / 2);
        await tab.mouse.move(x + off + dx, y + dy);
        await tab.mouse.up();
        return share();
    };
    const place = () =>
        tab.evaluate(() =>
            ["a", "b"].map((id) => {
                const { left, top, width } = document.getElementById(id).getBoundingClientRect();
                return [left, top, width].map((value) => Math.round(value * 100) / 100);
            }),
        );

    shares.start = await share();
    shares.dragged = await drag(-200, 0, 12); // taken 12 pixels beside the bar: it must not jump
    shares.clamped = await drag(-5000, 0);
    await tab.locator("compare-slider").evaluate((element) => (element.share = 0.25));
    const before = await middle();
    await tab.locator("#frame").evaluate((element) => (element.style.width = "700px"));
    await tab.waitForFunction(() => document.querySelector("compare-slider").style.getPropertyValue("--split-point") === "175px");
    shares.resized = [before.x, (await middle()).x, await share()];

    await bar().focus();
    const keys = {};
    for (const key of ["Home", "ArrowRight", "Shift+ArrowRight", "End", "ArrowLeft"]) {
        await tab.keyboard.press(key);
        keys[key] = await bar().getAttribute("aria-valuenow");
    }
    await tab.locator("#field").focus();
    await tab.keyboard.type("123");
    keys.typing = await bar().getAttribute("aria-valuenow");
    await tab.locator("#field").evaluate((element) => element.blur());
    for (const key of ["1", "2", "3"]) {
        await tab.keyboard.press(key);
        keys[key] = await share();
    }
    // After key 2 the bar must stay in the middle when the frame changes.
    await tab.keyboard.press("2");
    await tab.locator("#frame").evaluate((element) => (element.style.width = "640px"));
    await tab.waitForFunction(() => document.querySelector("compare-slider").style.getPropertyValue("--split-point") === "320px");
    shares.afterKey2 = await share();

    await tab.locator("#frame").evaluate((element) => (element.style.width = "500px"));
    await tab.waitForSelector("compare-slider[lying]");
    shares.lying = [await share(), await bar().getAttribute("aria-orientation"), await drag(0, 100)];
    await tab.locator("#frame").evaluate((element) => (element.style.width = "800px"));
    await tab.waitForSelector("compare-slider:not([lying])");

    const zoom = {};
    zoom.fit = await place();
    await tab.mouse.move(200, 100);
    await tab.mouse.wheel(0, -300);
    zoom.wheel = await place();
    await tab.mouse.move(450, 200);
    await tab.mouse.down();
    await tab.mouse.move(500, 230);
    await tab.mouse.up();
    zoom.panned = await place();
    await tab.mouse.move(450, 200);
    await tab.mouse.down();
    await tab.mouse.move(20_000, 20_000);
    await tab.mouse.up();
    zoom.lost = await place();
    await tab.locator("pinch-zoom").evaluate((element) => element.zoomTo(100));
    zoom.hundred = await place();
    await tab.locator("pinch-zoom").evaluate((element) => element.zoomIn());
    zoom.step = await tab.locator("pinch-zoom").evaluate((element) => element.percent);
    await tab.locator("pinch-zoom").focus();
    await tab.keyboard.press("0");
    zoom.fitAgain = await place();
    return { shares, keys, zoom };
});
console.log(JSON.stringify(told));
