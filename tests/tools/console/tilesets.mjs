// The tileset pages, used as a person uses them. `key` is of an account with signed tiles, `plainKey` of one without.
const isTile = (url) => /\/xyz\/\d+\/\d+\/\d+\./.test(url);
const tilesOf = (page) => page.asked.filter(isTile).map((url) => url.replace(/^https?:\/\/[^/]+/, "").replace(/\?.*/, ""));

const loaded = (page) => page.waitForSelector('.stage[data-loaded="true"]');
const shown = (page, version) => page.waitForSelector(`.frame[data-version="${version}"]`);
const readout = (page) => page.locator(".stage-readout").innerText();

/** The colour in the middle of the stage. */
const middle = (page) =>
    page.evaluate(() => {
        const canvas = document.querySelector('[slot="second"] canvas');
        const { width, height } = canvas;
        return [...canvas.getContext("2d").getImageData(width >> 1, height >> 1, 1, 1).data];
    });

async function drawInTheMiddle(page) {
    const { x, y, width, height } = await page.locator(".stage").boundingBox();
    await page.getByRole("button", { name: /Draw a patch|Add another/ }).click();
    await page.mouse.move(x + width / 2 - 60, y + height / 2 - 40);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 3 });
    await page.mouse.move(x + width / 2 + 60, y + height / 2 + 40, { steps: 3 });
    await page.mouse.up();
}

const numbers = async (page) => {
    const fields = {};
    for (const name of ["x", "y", "width", "height"]) fields[name] = Number(await page.getByRole("spinbutton", { name, exact: true }).inputValue());
    return fields;
};

/** Notes in every frame whether something is drawn over the picture, from now on. */
const watchOverlay = (page) =>
    page.evaluate(() => {
        const canvas = document.querySelector(".stage-overlay");
        window.flashes = [];
        const look = () => {
            const context = canvas.getContext("2d");
            const at = (x, y) => context.getImageData(Math.round(x * canvas.width), Math.round(y * canvas.height), 1, 1).data[3];
            if (!document.querySelector(".patch-box")) window.flashes.push([at(0.5, 0.5), at(0.03, 0.5)]);
            requestAnimationFrame(look);
        };
        look();
    });

export default async function play(stage, wanted) {
    stage.expected.push(/willReadFrequently/); // it is the test that reads pixels
    const seen = { axe: {} };

    // --- the list ---
    const list = await stage.page("#/tilesets");
    await list.waitForFunction(() => {
        const canvas = document.querySelector(".thumbnail");
        return canvas?.getContext("2d").getImageData(10, 10, 1, 1).data[3] === 255;
    });
    seen.cards = await list.locator(".tileset-card").allInnerTexts();
    await stage.shot(list, "tilesets-light");
    seen.axe.list = await stage.axe(list);
    await list.context().close();

    // --- one tileset ---
    const page = await stage.page(`#/tilesets/${wanted.tileset}`);
    await loaded(page);
    seen.title = await page.title();
    seen.fit = await readout(page);
    await page.getByRole("button", { name: "Grid" }).click();
    seen.grid = await page.evaluate(() => {
        const canvas = document.querySelector(".stage-overlay");
        return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
    });
    seen.gridInAddress = await page.evaluate(() => location.hash);
    await page.getByRole("button", { name: "1:1" }).click();
    await page.waitForFunction(() => document.querySelector(".stage-readout").textContent.endsWith("100 %"));
    await loaded(page);
    seen.hundred = await readout(page);
    await page.getByRole("button", { name: "Grid" }).click();

    // --- a patch, by pointer, by keys and in numbers ---
    const original = await middle(page);
    await drawInTheMiddle(page);
    seen.drawn = await numbers(page);
    const body = page.getByRole("button", { name: /^Patch 1, / });
    const box = await body.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 30, box.y + box.height / 2 + 20, { steps: 3 });
    await page.mouse.up();
    seen.moved = await numbers(page);
    const corner = await page.getByRole("button", { name: /bottom right corner/ }).boundingBox();
    await page.mouse.move(corner.x + 5, corner.y + 5);
    await page.mouse.down();
    await page.mouse.move(corner.x + 45, corner.y + 25, { steps: 3 });
    await page.mouse.up();
    seen.resized = await numbers(page);
    await body.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Shift+ArrowUp");
    seen.byKeys = await numbers(page);
    await page.getByRole("button", { name: /left edge/ }).focus();
    await page.keyboard.press("Shift+ArrowLeft");
    seen.handleByKeys = await numbers(page);
    const width = page.getByRole("spinbutton", { name: "width", exact: true });
    await width.fill("120");
    await width.press("Tab");
    seen.typed = await numbers(page);
    await page.getByRole("textbox", { name: "Colour by name or number" }).fill("#ff0000");
    seen.cost = await page.locator(".patch-card header").innerText();
    page.asked.length = 0; // a reload begins with nothing
    await page.reload();
    await loaded(page);
    seen.afterReload = await page.locator(".patch-box").count();
    await page.locator(".patch-body").click();
    await stage.shot(page, "patch-light");
    seen.axe.patch = await stage.axe(page);

    // --- published: what changed is fetched, once, and nothing else ---
    seen.before = tilesOf(page);
    page.asked.length = 0;
    await watchOverlay(page);
    await page.getByRole("button", { name: "Publish v2" }).click();
    await shown(page, 2);
    seen.patched = await middle(page);
    await page.waitForFunction(() => window.flashes.length > 20 && window.flashes.slice(-3).every(([inside]) => inside === 0));
    seen.afterPublishing = tilesOf(page);
    const flashes = await page.evaluate(() => window.flashes);
    const lit = flashes.map(([inside]) => inside > 0);
    seen.flashes = lit.filter((now, at) => now && !lit[at - 1]).length;
    seen.flashedBeside = flashes.some(([, beside]) => beside > 0);
    // All of it, in every zoom on the way: tiles that were fetched before are not asked for again.
    await page.getByRole("button", { name: "Show all of it" }).click();
    await page.waitForFunction((fit) => document.querySelector(".stage-readout").textContent.split("·").pop() === fit.split("·").pop(), seen.fit);
    await loaded(page);
    seen.afterZoomingOut = tilesOf(page);

    // --- versions ---
    page.asked.length = 0;
    seen.versions = await page.locator(".version-row").allInnerTexts();
    await page.getByRole("button", { name: "Older version" }).click();
    await shown(page, 1);
    seen.oldAddress = await page.evaluate(() => location.hash);
    await page.getByRole("button", { name: "Newer version" }).click();
    await shown(page, 2);
    await page.getByRole("button", { name: "Compare with version 1" }).click();
    const divider = page.getByRole("slider", { name: "Divider between the versions" });
    await divider.waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".frame canvas").length === 2);
    await divider.press("ArrowRight");
    seen.divided = await divider.getAttribute("aria-valuenow");
    const area = await page.locator(".stage").boundingBox();
    await page.mouse.move(area.x + area.width / 4, area.y + area.height / 2);
    await page.mouse.wheel(0, -400);
    await page.waitForFunction((before) => document.querySelector(".stage-readout").textContent.split("·").pop() !== before.split("·").pop(), seen.fit);
    await stage.shot(page, "versions-light");
    seen.axe.versions = await stage.axe(page);
    await page.locator(".versions").getByRole("button", { name: "Stop comparing" }).click();

    // --- taken back ---
    await page.getByRole("button", { name: "Take back v2" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish v3" }).click();
    await shown(page, 3);
    await page.getByRole("button", { name: "Show all of it" }).click();
    await page.waitForFunction((fit) => document.querySelector(".stage-readout").textContent.split("·").pop() === fit.split("·").pop(), seen.fit);
    await page.getByRole("button", { name: "1:1" }).click();
    await page.waitForFunction(() => document.querySelector(".stage-readout").textContent.endsWith("100 %"));

    await loaded(page);
    seen.restored = [original, await middle(page)];

    // --- a picture instead of a colour ---
    await drawInTheMiddle(page);
    await page.getByRole("radio", { name: "Picture" }).check({ force: true });
    await page.getByRole("dialog").locator(".picker-item").first().click();
    seen.picked = await page.locator(".patch-asset-words").innerText();
    await page.getByRole("combobox", { name: "How the picture meets the patch" }).selectOption("cover");
    await page.locator("img.patch-filling").waitFor();
    await drawInTheMiddle(page); // over the first: while one draws, what is there does not take the pointer
    seen.rows = await page.locator(".patch-row").count();
    await stage.shot(page, "patches-light");
    await page.getByRole("button", { name: "Remove patch 2" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    seen.rowsAfterUndo = await page.locator(".patch-row").count();
    await page.getByRole("button", { name: "Publish v4" }).click();
    await shown(page, 4);

    // --- snippets and the archive ---
    seen.snippets = {};
    let before = "";
    for (const name of ["Template", "OpenSeadragon", "Leaflet", "MapLibre", "TileJSON", "IIIF", "Deep Zoom"]) {
        await page.getByRole("combobox", { name: "Show it with" }).selectOption(name);
        const end = { IIIF: "/info.json", "Deep Zoom": "/image.dzi" }[name] ?? ""; // asked of the service first
        const there = await page.waitForFunction(([was, ends]) => {
            const now = document.querySelector(".snippet")?.innerText ?? "";
            return now.length > 20 && now !== was && now.endsWith(ends) && now;
        }, [before, end]);
        before = await there.jsonValue();
        seen.snippets[name] = before;
    }
    await page.getByRole("combobox", { name: "Show it with" }).selectOption("PMTiles");
    seen.archive = await page.locator(".use-card").innerText();
    await page.locator(".version-row").last().click();
    await shown(page, 1);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^Download/ }).click()]);
    seen.download = download.suggestedFilename();
    await page.context().close();

    // --- other sizes, and the dark theme ---
    seen.overflows = [];
    for (const [name, size] of Object.entries({ dark: { theme: "dark" }, tablet: { size: "tablet" }, phone: { size: "phone" } })) {
        const other = await stage.page(`#/tilesets/${wanted.tileset}?grid=1`, size);
        await loaded(other);
        seen.overflows.push((await stage.overflow(other)) > 0);
        await stage.shot(other, `tileset-${name}`);
        if (name !== "tablet") seen.axe[name] = await stage.axe(other); // between the others
        await other.context().close();
    }
    const narrow = await stage.page("#/tilesets", { size: "phone", theme: "dark" });
    await narrow.waitForSelector(".tileset-card");
    seen.overflows.push((await stage.overflow(narrow)) > 0);
    await stage.shot(narrow, "tilesets-phone");
    seen.axe.darkList = await stage.axe(narrow);
    await narrow.context().close();

    // --- with the key alone ---
    const plain = await stage.page(`#/tilesets/${wanted.plainTileset}`, { key: wanted.plainKey });
    await loaded(plain);
    await plain.getByRole("button", { name: "1:1" }).click();
    await plain.waitForFunction(() => document.querySelector(".stage-readout").textContent.endsWith("100 %"));
    await loaded(plain);
    await drawInTheMiddle(plain);
    seen.plain = { patch: await numbers(plain), before: tilesOf(plain) };
    plain.asked.length = 0;
    await plain.getByRole("button", { name: "Publish v2" }).click();
    await shown(plain, 2);
    seen.plain.patched = await middle(plain);
    seen.plain.afterPublishing = tilesOf(plain);
    seen.plain.note = await plain.locator(".versions-card").innerText();
    await plain.context().close();

    // --- deleting ---
    const gone = await stage.page(`#/tilesets/${wanted.spare}`);
    await loaded(gone);
    await gone.getByRole("button", { name: "Delete …" }).click();
    seen.question = await gone.getByRole("dialog").innerText();
    await gone.getByRole("dialog").getByRole("button", { name: "Delete tileset" }).click();
    await gone.waitForFunction(() => location.hash === "#/tilesets");
    stage.expected.push(/status of 404/);
    await gone.evaluate((hash) => { location.hash = hash; }, `#/tilesets/${wanted.spare}`);
    seen.notFound = await gone.locator(".empty").innerText();
    await gone.context().close();
    return seen;
}
