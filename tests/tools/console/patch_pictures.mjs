// The pictures of compare and patches in docs/console.md, with the sample picture of a first visit.
import { join } from "node:path";

export default async function play(stage, { screenshots }) {
    const shot = (page, name) => page.screenshot({ path: join(screenshots, `${name}.jpg`), type: "jpeg", quality: 82 });
    const page = await stage.page("#/");
    await page.getByRole("button", { name: "Try a sample picture" }).click();
    await page.getByRole("button", { name: "Make it zoomable" }).click();
    await page.getByRole("link", { name: "Open", exact: true }).click();
    await page.waitForSelector('.stage[data-loaded="true"]');
    const tileset = await page.evaluate(() => location.hash);
    const draw = async (from, to) => {
        const { x, y, width, height } = await page.locator(".stage").boundingBox();
        await page.getByRole("button", { name: /Draw a patch|Add another/ }).click();
        await page.mouse.move(x + width * from[0], y + height * from[1]);
        await page.mouse.down();
        await page.mouse.move(x + width * to[0], y + height * to[1], { steps: 4 });
        await page.mouse.up();
    };
    await draw([0.3, 0.3], [0.45, 0.42]);
    await page.getByRole("textbox", { name: "Colour by name or number" }).fill("#0f766eb0");
    await page.getByRole("button", { name: "Publish v2" }).click();
    await page.waitForSelector('.frame[data-version="2"]');
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByRole("button", { name: "Grid" }).click();
    await draw([0.56, 0.5], [0.78, 0.72]);
    await page.getByRole("textbox", { name: "Colour by name or number" }).fill("#f6c667a0");
    await page.waitForSelector(".notice", { state: "detached" });
    await page.waitForSelector('.stage[data-loaded="true"]');
    await shot(page, "console-patch");
    await page.context().close();

    const other = await stage.page("#/assets", { theme: "dark" });
    const id = await other.evaluate(async () => {
        const key = sessionStorage.getItem("tessera.key");
        const ask = async (path, body) =>
            (await fetch(path, { method: body ? "POST" : "GET", headers: { "X-API-Key": key, "Content-Type": "application/json", Prefer: "wait=50" }, body: body && JSON.stringify(body) })).json();
        const { assets } = await ask("v1/assets");
        return (await ask("v1/jobs", { asset_id: assets[0].id, operation: "optimize", options: { quality: 35 } })).id;
    });
    await other.evaluate((job) => { location.hash = `#/jobs/${job}/compare`; }, id);
    await other.waitForFunction(() => document.querySelectorAll(".compare-picture").length === 2);
    await other.getByRole("button", { name: "100 %", exact: true }).click();
    await shot(other, "console-compare");
    return { tileset };
}
