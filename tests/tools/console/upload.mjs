// Thirty files at once, within the rate limit; one again; one that is no picture, and one that only claims to be.
export default async function play(stage, { files, damaged }) {
    stage.expected.push(/status of 415/, /status of 429/);
    const page = await stage.page("#/upload");
    const rates = [];
    page.on("response", (response) => response.url().endsWith("/v1/assets") && response.request().method() === "POST" && rates.push(response.status()));
    const chosen = files.map((base64, index) => ({ name: `picture-${index}.png`, mimeType: "image/png", buffer: Buffer.from(base64, "base64") }));
    const field = page.getByLabel("Files", { exact: true });

    await field.setInputFiles([...chosen, { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") }]);
    const named = await page.getByRole("alert").innerText();
    await page.getByText(/for the rate limit/).waitFor();
    await stage.shot(page, "upload-waiting");
    await page.waitForFunction((count) => [...document.querySelectorAll(".upload-state")].filter((state) => state.textContent === "stored").length === count, chosen.length);
    const busy = await page.getByText(/ to go/).count();
    await stage.shot(page, "upload");

    await field.setInputFiles([chosen[3]]);
    await page.getByText("already here").waitFor();
    await field.setInputFiles([{ name: "broken.png", mimeType: "image/png", buffer: Buffer.from(damaged, "base64") }]);
    await page.getByRole("button", { name: "Retry" }).waitFor();
    const broken = await page.locator(".upload-row").first().innerText();
    const count = await page.getByRole("link", { name: /^Assets/ }).innerText();
    return { named, busy, broken, count, rates };
}
