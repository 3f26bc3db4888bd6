// Makes the pictures of README.md and docs/console.md: a small studio's account, with jobs of every kind.
import { join } from "node:path";

/** Drawn in the page, since Node draws nothing: soft hills in several colours. */
function drawn() {
    const palettes = [
        ["#0b3954", "#087e8b", "#bfd7ea", "#ff5a5f"], ["#22223b", "#4a4e69", "#c9ada7", "#f2e9e4"], ["#264653", "#2a9d8f", "#e9c46a", "#e76f51"],
        ["#03071e", "#9d0208", "#f48c06", "#ffba08"], ["#10002b", "#5a189a", "#c77dff", "#e0aaff"], ["#081c15", "#2d6a4f", "#74c69d", "#d8f3dc"],
    ];
    const width = 1500, height = 1000;
    return Promise.all(palettes.map(async (colours, turn) => {
        const canvas = new OffscreenCanvas(width, height), pen = canvas.getContext("2d");
        const sky = pen.createLinearGradient(0, 0, width * 0.3, height);
        colours.forEach((colour, index) => sky.addColorStop(index / 3, colour));
        pen.fillStyle = sky;
        pen.fillRect(0, 0, width, height);
        for (let hill = 0; hill < 14; hill += 1) {
            pen.globalAlpha = 0.35;
            pen.fillStyle = colours[(hill + turn) % 4];
            pen.beginPath();
            pen.moveTo(0, height);
            for (let x = 0; x <= width; x += 6) {
                pen.lineTo(x, height * (0.25 + hill * 0.055) + 90 * Math.sin(x / (140 + hill * 23 + turn * 31) + hill * 1.7) + 12 * Math.sin(x / 17 + hill));
            }
            pen.lineTo(width, height);
            pen.fill();
        }
        const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
        return [...new Uint8Array(await blob.arrayBuffer())];
    }));
}

export default async function play(stage, { url, key, folder }) {
    const page = await stage.page("#/upload");
    const headers = { "X-API-Key": key };
    const names = ["harbour", "old-town", "market", "lighthouse", "ferry", "meadow"];
    const assets = [];
    for (const [index, bytes] of (await page.evaluate(drawn)).entries()) {
        const form = new FormData();
        form.append("file", new Blob([new Uint8Array(bytes)]), `${names[index]}.jpg`);
        assets.push((await (await fetch(`${url}v1/assets`, { method: "POST", headers, body: form })).json()).id);
    }
    const run = async (body) =>
        (await fetch(`${url}v1/jobs`, {
            method: "POST",
            headers: { ...headers, "Content-Type": "application/json", Prefer: "wait=60" },
            body: JSON.stringify(body),
        })).json();
    const tile = await run({ asset_id: assets[1], operation: "tile", options: { format: "webp" } });
    await run({ operation: "grid_render", options: { width: 8192, height: 8192, block_width: 512, blocks: [{ column: 3, row: 2, columns: 6, rows: 4, color: "teal" }] } });
    await run({ asset_id: assets[3], operation: "optimize", options: { quality: 70 } });
    await run({ asset_id: assets[2], operation: "resize", options: { width: 1600, height: 900, fit: "cover" } });
    const tileset_id = tile.artifacts[0].metadata.tileset_id;
    await run({ operation: "tile_patch", options: { tileset_id, patches: [{ x: 600, y: 300, width: 320, height: 240, color: "#ffba08" }] } });
    await run({ asset_id: assets[4], operation: "optimize", options: { quality: 60 } });
    await run({ asset_id: assets[5], operation: "resize", options: { height: 480, format: "png" } });
    await run({ asset_id: assets[0], operation: "resize", options: { width: 800, format: "webp" } });

    const keep = (name) => page.screenshot({ path: join(folder, `console-${name}.png`), animations: "disabled" });
    await page.goto(`${url}#/jobs`);
    await page.reload();
    await page.getByRole("table", { name: "Jobs" }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    await stage.settled(page);
    await keep("jobs");

    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(`${url}#/jobs/new?operation=resize&asset_id=${assets[0]}`);
    await page.getByLabel("Width", { exact: true }).fill("1200");
    await page.getByLabel("Height", { exact: true }).fill("800");
    await page.getByLabel("Fit").selectOption("cover");
    await page.evaluate(() => document.activeElement?.blur());
    await stage.settled(page);
    await keep("new-job");
    return { jobs: 8 };
}
