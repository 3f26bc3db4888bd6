// Signing in, and being refused; a deep link is kept; the key is this tab's alone.
export default async function play(stage, { key, url }) {
    stage.expected.push(/status of 401/);
    const page = await stage.page("#/jobs?status=failed", { key: null });
    const field = page.getByLabel("API key");
    const submit = page.getByRole("button", { name: "Sign in" });

    await submit.click();
    const empty = await page.getByRole("alert").innerText();
    await field.fill("tsr_wrong");
    await submit.click();
    await page.getByRole("alert").getByText("invalid api key").waitFor();
    const refused = await page.getByRole("alert").innerText();

    await field.fill(`  ${key}\n`);
    await field.press("Enter");
    await page.getByRole("heading", { name: "Jobs", level: 1 }).waitFor();
    const kept = await page.evaluate(() => location.hash);
    const storages = await page.evaluate(() => ({ local: localStorage.length, cookies: document.cookie }));

    await page.reload();
    await page.getByRole("heading", { name: "Jobs", level: 1 }).waitFor();

    const other = await page.context().newPage();
    stage.watch(other);
    await other.goto(url);
    await other.getByLabel("API key").waitFor();

    await page.getByRole("button", { name: "Tester" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await field.waitFor();
    const left = await page.evaluate(() => sessionStorage.getItem("tessera.key"));
    return { empty, refused, kept, storages, left };
}
