// What the first page reads is asked for before its code is there, once, and taken by it.
export default async function play(stage, { pages }) {
    const left = {};
    const asked = {};
    for (const [name, hash] of Object.entries(pages)) {
        const page = await stage.page(hash);
        await stage.settled(page);
        await page.waitForFunction(() => globalThis.tesseraEarly?.size === 0).catch(() => undefined);
        left[name] = await page.evaluate(() => [...(globalThis.tesseraEarly?.keys() ?? ["none was asked for"])]);
        asked[name] = page.asked.map((address) => address.slice(stage.wanted.url.length)).filter((path) => path.startsWith("v1/"));
        await page.context().close();
    }
    return { left, asked };
}
