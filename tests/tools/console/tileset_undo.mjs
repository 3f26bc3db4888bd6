// A patch is taken back in tilesets of png and webp; then all versions are played.
const shown = (page, version) => page.waitForSelector(`.frame[data-version="${version}"]`);
const settle = (page) => page.waitForSelector('.stage[data-loaded="true"]');

const middle = (page) =>
    page.evaluate(() => {
        const canvas = document.querySelector('[slot="second"] canvas');
        return [...canvas.getContext("2d").getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1).data];
    });

export default async function play(stage, { tilesets }) {
    stage.expected.push(/willReadFrequently/); // it is the test that reads pixels
    const seen = { pixels: {}, played: [] };
    for (const [format, id] of Object.entries(tilesets)) {
        const page = await stage.page(`#/tilesets/${id}?version=1`);
        await shown(page, 1);
        await settle(page);
        const original = await middle(page);
        await page.getByRole("button", { name: "Newer version" }).click();
        await shown(page, 2);
        const patched = await middle(page);
        await page.getByRole("button", { name: "Take back v2" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Publish v3" }).click();
        await shown(page, 3);
        await settle(page);
        seen.pixels[format] = [original, patched, await middle(page)];
        if (format === "png") {
            await page.evaluate(() => {
                window.played = [];
                new MutationObserver(() => {
                    const now = document.querySelector(".frame[data-version]")?.dataset.version;
                    if (now !== window.played.at(-1)) window.played.push(now);
                }).observe(document.querySelector(".stage"), { subtree: true, attributes: true, attributeFilter: ["data-version"] });
            });
            await page.getByRole("button", { name: "Play all versions" }).click();
            await page.waitForFunction(() => window.played.length >= 3);
            await page.getByRole("button", { name: "Stop", exact: true }).click();
            seen.played = await page.evaluate(() => window.played);
        }
        await page.context().close();
    }
    return seen;
}
