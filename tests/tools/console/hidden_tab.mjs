// A page that is opened in a tab that nobody looks at listens to nothing: when somebody does, it shows what has changed meanwhile.
export default async function play(stage, { key, job, url }) {
    const page = await stage.page("#/", { key: null });
    await page.addInitScript((text) => {
        sessionStorage.setItem("tessera.key", text);
        globalThis.isHidden = true;
        Object.defineProperty(document, "hidden", { get: () => globalThis.isHidden });
    }, key);
    await page.goto(`${url}?again#/jobs/${job}`);
    await page.locator(".pill-queued").first().waitFor();
    await stage.askOutside("cancel");
    await page.evaluate(() => {
        globalThis.isHidden = false;
        document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.locator(".pill-failed").first().waitFor();
    return {};
}
