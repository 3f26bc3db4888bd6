// Walks through the console in Chromium and reads the traces:  node measure.mjs '{"url", "key", "tileset", "sections", …}'
// Prints what it found as one line of JSON.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withBrowser } from "../../tests/tools/browser.mjs";
import { categories, quantile, smoothness, Trace } from "./trace.mjs";
import { withUnwatched } from "./unwatched.mjs";

const wanted = JSON.parse(process.argv[2]);

const newPage = async (browser, key) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    if (key) await page.addInitScript((text) => sessionStorage.setItem("tessera.key", text), key);
    return page;
};

async function traced(browser, page, name, work) {
    await browser.startTracing(page, { categories });
    await work();
    const text = (await browser.stopTracing()).toString();
    if (wanted.traces) writeFileSync(join(wanted.traces, `${name}.json`), text);
    return new Trace(text);
}

const mark = (page, name) => page.evaluate((text) => performance.mark(`bench:${text}`), name);

/** Notes, in the page, when what `sought` selects is there and drawn, and nothing waits on the main thread. */
function noteUsable({ sought, key }) {
    if (key) sessionStorage.setItem("tessera.key", key);
    performance.mark("bench:begin");
    const seen = () => {
        const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
        const loaded = all.filter(({ responseEnd }) => responseEnd <= performance.now());
        globalThis.usable = {
            after: performance.now(),
            firstByte: all[0].responseStart,
            requests: loaded.length,
            bytes: loaded.reduce((sum, { transferSize }) => sum + transferSize, 0),
        };
        performance.mark("bench:usable");
    };
    const look = new MutationObserver(() => {
        if (!document.querySelector(sought)) return;
        look.disconnect();
        // After the frame that shows it; a message comes behind all that is waiting.
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = seen;
            port2.postMessage(0);
        });
    });
    look.observe(document, { subtree: true, childList: true, attributeFilter: ["data-loaded"] });
}

/** Timed where nobody listens; a further visit is traced, for what the main thread does. */
async function opening(browser, unwatched, { name, hash, key, sought, warm = false }) {
    const url = wanted.url + hash;
    const visits = [];
    for (let round = 0; round < wanted.rounds; round += 1) {
        const script = `(${noteUsable})(${JSON.stringify({ sought, key })})`;
        visits.push(await unwatched.visit({ url, script, expression: "globalThis.usable", warm }));
    }
    const page = await newPage(browser);
    await page.addInitScript(noteUsable, { sought, key });
    const open = async () => {
        await page.goto(url);
        await page.waitForFunction(() => globalThis.usable !== undefined);
    };
    if (warm) {
        await open();
        await page.goto("about:blank");
    }
    const trace = await traced(browser, page, `open-${name}`.replace(/\W+/g, "-"), open);
    await page.context().close();
    const times = visits.map(({ after }) => after);
    const { requests, bytes } = visits.at(-1);
    return {
        name,
        median: quantile(times, 0.5),
        best: Math.min(...times),
        worst: Math.max(...times),
        firstByte: quantile(visits.map(({ firstByte }) => firstByte), 0.5),
        busy: trace.processorTime(trace.at("begin"), trace.at("usable")).main,
        requests,
        kilobytes: bytes / 1000,
    };
}

async function scrolling(browser) {
    const page = await newPage(browser, wanted.key);
    await page.goto(`${wanted.url}#/jobs`);
    await page.locator(".job-link").first().waitFor();
    const gesture = await page.context().newCDPSession(page);
    const scroll = (distance, speed) =>
        gesture.send("Input.synthesizeScrollGesture", { x: 640, y: 500, yDistance: distance, speed, gestureSourceType: "mouse", preventFling: true });
    const known = () => page.evaluate(() => document.querySelectorAll(".thumb img").length);
    // Down, while pages are read as they are reached.
    const down = await traced(browser, page, "scroll-down", async () => {
        await mark(page, "start");
        await scroll(-12_000, 3_000);
        await mark(page, "end");
    });
    const loaded = await known();
    // All of them, then through the middle of what is known.
    await page.evaluate(async (jobs) => {
        while (Number(document.querySelector(".virtual").style.height.replace("px", "")) < jobs * 50) {
            scrollTo(0, document.documentElement.scrollHeight);
            await new Promise(requestAnimationFrame);
        }
        scrollTo(0, document.documentElement.scrollHeight / 2);
    }, wanted.jobs);
    await page.waitForTimeout(300);
    const through = await traced(browser, page, "scroll-through", async () => {
        await mark(page, "start");
        await scroll(-18_000, 6_000);
        await mark(page, "end");
    });
    const found = {
        [`first of ${wanted.jobs} jobs, pages read on the way`]: smoothness(down, loaded),
        [`middle of ${wanted.jobs} jobs, faster`]: smoothness(through, await known()),
    };
    await page.context().close();
    return found;
}

async function viewing(browser) {
    const page = await newPage(browser, wanted.key);
    let tiles = 0;
    page.on("requestfinished", (request) => {
        if (request.url().includes("/xyz/")) tiles += 1;
    });
    await page.goto(`${wanted.url}#/tilesets/${wanted.tileset}`);
    await page.locator('.stage[data-loaded="true"]').waitFor();
    const box = await page.locator(".stage").boundingBox();
    const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    const gesture = await page.context().newCDPSession(page);
    const during = async (name, work) => {
        const before = tiles;
        const trace = await traced(browser, page, name, async () => {
            await mark(page, "start");
            await work();
            await mark(page, "end");
        });
        return smoothness(trace, tiles - before);
    };
    const found = {};
    found["viewer, zooming in by the wheel"] = await during("viewer-zoom", async () => {
        for (let turn = 0; turn < 12; turn += 1) {
            await gesture.send("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: 0, deltaY: -100 });
            await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 120)));
        }
    });
    await page.getByRole("button", { name: "1:1" }).click();
    await page.waitForFunction(() => document.querySelector(".stage-readout").textContent.endsWith("100 %"));
    found["viewer, dragged over tiles that are not there yet"] = await during("viewer-drag", async () => {
        for (const [dx, dy] of [[-900, 0], [0, -500], [-900, 0], [-600, -300]]) {
            await gesture.send("Input.synthesizeScrollGesture", {
                x: x - Math.sign(dx) * 200, y: y - Math.sign(dy) * 150, xDistance: dx, yDistance: dy, speed: 1_200, gestureSourceType: "touch", preventFling: true,
            });
        }
    });
    await page.context().close();
    return found;
}

/** The pages that are opened, and what can be used when they are. */
const { key, tileset } = wanted;
const pages = [
    { name: "sign-in, first visit", hash: "#/", sought: "form input" },
    { name: "upload, signed in, first visit", hash: "#/", key, sought: ".page input[type=file]" },
    { name: "jobs, signed in, first visit", hash: "#/jobs", key, sought: ".job-link" },
    { name: "jobs, signed in, again", hash: "#/jobs", key, sought: ".job-link", warm: true },
    { name: "tileset, signed in, first visit", hash: `#/tilesets/${tileset}`, key, sought: ".tileset-side button" },
    { name: "    its viewer", hash: `#/tilesets/${tileset}`, key, sought: ".stage [role=application]" },
    { name: "    all of its picture", hash: `#/tilesets/${tileset}`, key, sought: '.stage[data-loaded="true"]' },
];

const found = await withBrowser(async (browser) => {
    const told = {};
    if (wanted.sections.includes("open")) {
        told.open = await withUnwatched(async (unwatched) => {
            const opened = [];
            for (const page of pages) opened.push(await opening(browser, unwatched, page));
            return opened;
        });
    }
    if (wanted.sections.includes("scroll")) told.scroll = await scrolling(browser);
    if (wanted.sections.includes("viewer")) told.viewer = await viewing(browser);
    return told;
});
console.log(JSON.stringify(found));
