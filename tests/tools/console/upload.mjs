// Thirty files at once, within the rate limit; one again; one that is no picture, and one that only claims to be.
export default async function play(stage, { files, damaged }) {
    stage.expected.push(/status of 415/, /status of 429/);
    const page = await stage.page("#/upload");
    const rates = [];
    let fewest = Number.POSITIVE_INFINITY;
    page.on("response", (response) => {
        if (!response.url().endsWith("/v1/assets") || response.request().method() !== "POST") return;
        rates.push(response.status());
        fewest = Math.min(fewest, Number(response.headers()["ratelimit-remaining"]));
    });
    // Whether it was said that the queue waits: on a slow machine no window is ever used up.
    await page.evaluate(() => {
        globalThis.heldSeen = false;
        new MutationObserver(() => { globalThis.heldSeen ||= /for the rate limit/.test(document.body.textContent); })
            .observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    const chosen = files.map((base64, index) => ({ name: `picture-${index}.png`, mimeType: "image/png", buffer: Buffer.from(base64, "base64") }));
    const field = page.getByLabel("Files", { exact: true });

    // By the picker, as a person does; what is chosen twice is told from what is new.
    const [picker] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Choose files" }).click()]);
    const several = picker.isMultiple();
    await picker.setFiles([...chosen, { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") }]);
    const named = await page.getByRole("alert").innerText();
    await stage.shot(page, "upload-waiting");
    await page.waitForFunction((count) => [...document.querySelectorAll(".upload-state")].filter((state) => state.textContent === "stored").length === count, chosen.length, { timeout: 60_000 });
    const held = await page.evaluate(() => globalThis.heldSeen);
    const busy = await page.getByText(/ to go/).count();
    await stage.shot(page, "upload");

    await field.setInputFiles([chosen[3]]);
    await page.getByText("already here").waitFor();
    await field.setInputFiles([{ name: "broken.png", mimeType: "image/png", buffer: Buffer.from(damaged, "base64") }]);
    await page.getByRole("button", { name: "Retry" }).waitFor();
    const broken = await page.locator(".upload-row").first().innerText();
    const count = await page.getByRole("link", { name: /^Assets/ }).innerText();
    return { several, named, busy, broken, count, rates, held, fewest };
}
