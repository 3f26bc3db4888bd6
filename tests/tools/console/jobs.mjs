// A job of each operation through its form; then what the list and the page of a job show.
async function submitted(page) {
    await page.getByRole("button", { name: "Submit" }).click();
    await page.waitForURL(/#\/jobs\/[0-9a-f-]{36}$/);
    await page.locator(".job-bar .pill-succeeded").waitFor();
    return page.evaluate(() => location.hash.split("/").pop());
}

export default async function play(stage, { asset, damagedAsset }) {
    const page = await stage.page(`#/jobs/new?asset_id=${asset}`);
    const jobs = {};
    const operation = (name) => page.getByRole("navigation", { name: "Operation" }).getByRole("link", { name, exact: true }).click();

    await page.getByLabel("Width", { exact: true }).fill("120");
    await page.getByText("→ 120 ×").waitFor();
    const cost = await page.getByRole("region", { name: "Cost and limits" }).innerText();
    const snippets = {};
    for (const language of ["curl", "TypeScript", "Python"]) {
        await page.getByRole("radio", { name: language }).check();
        snippets[language] = await page.locator(".snippet").innerText();
    }
    jobs.resize = await submitted(page);
    await stage.shot(page, "job");

    await page.goto(page.url().replace(/#.*/, `#/jobs/new?asset_id=${asset}`));
    await operation("optimize");
    await page.getByLabel("Lossless").waitFor(); // this form's own, not the one before
    await page.getByLabel("Format", { exact: true }).selectOption("webp");
    // What was filled in is there after a reload.
    await page.reload();
    const draft = await page.getByLabel("Format", { exact: true }).inputValue();
    jobs.optimize = await submitted(page);

    await page.goto(page.url().replace(/#.*/, `#/jobs/new?operation=tile&asset_id=${asset}`));
    await page.getByText("zooms").waitFor();
    await page.getByLabel("Grayscale").check();
    jobs.tile = await submitted(page);
    const tileset = await page.getByRole("link", { name: "Open tileset" }).getAttribute("href");

    await page.goto(page.url().replace(/#.*/, "#/jobs/new?operation=grid_render"));
    await page.getByRole("button", { name: "Submit" }).click();
    const missing = await page.getByText("fields need a look").innerText();
    await page.getByLabel("Width", { exact: false }).first().fill("640");
    await page.getByLabel("Height", { exact: false }).first().fill("480");
    await page.getByLabel(/^Block width/).fill("32");
    await page.getByRole("button", { name: "Add a block" }).click();
    await page.getByLabel(/^Column/).first().fill("2");
    await page.getByLabel(/^Row/).first().fill("3");
    await page.getByLabel(/^Color/).fill("teal");
    await stage.shot(page, "new-job-grid");
    jobs.grid_render = await submitted(page);

    await page.goto(page.url().replace(/#.*/, "#/jobs/new?operation=tile_patch"));
    await page.getByLabel(/^Tileset/).selectOption(tileset.split("/").pop());
    await page.getByRole("button", { name: "Add a patch" }).click();
    for (const [label, value] of [[/^X/, "0"], [/^Y/, "0"], [/^Width/, "40"], [/^Height/, "30"], [/^Color/, "#cc0000"]]) {
        await page.getByLabel(label).first().fill(value);
    }
    jobs.tile_patch = await submitted(page);

    // What may be left out is folded or a line until it is wanted; a field that needs a look is brought to sight.
    await page.goto(page.url().replace(/#.*/, `#/jobs/new?operation=resize&asset_id=${asset}`));
    await page.getByLabel("Width", { exact: true }).fill("90");
    await page.getByLabel("Height", { exact: true }).fill("60");
    await page.getByLabel("Fit", { exact: true }).selectOption("cover");
    await page.getByRole("button", { name: "Add focus" }).click();
    await page.getByRole("button", { name: "Add overlay" }).click();
    await page.getByRole("button", { name: "Leave out overlay" }).click();
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByText("2 fields need a look").waitFor();
    await page.getByLabel(/^X/).fill("0.25");
    await page.getByLabel(/^Y/).fill("1");
    const fold = page.getByText("More options");
    await fold.click();
    await page.getByLabel("Blur", { exact: true }).fill("500");
    await fold.click();
    await page.getByLabel("Blur", { exact: true }).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByText("must be 100 at most").waitFor();
    const looked = await page.evaluate(() => document.activeElement?.id);
    await page.getByLabel("Blur", { exact: true }).fill("2.5");
    await page.getByRole("button", { name: "Add an output" }).click();
    await page.getByLabel("Width", { exact: true }).nth(1).fill("30");
    await stage.shot(page, "new-job-more");
    const focused = await submitted(page);

    // A job that fails says why, and what to do.
    await page.goto(page.url().replace(/#.*/, `#/jobs/new?operation=resize&asset_id=${damagedAsset}`));
    await page.getByLabel("Width", { exact: true }).fill("50");
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByRole("region", { name: "Why it failed" }).waitFor();
    const failure = await page.getByRole("region", { name: "Why it failed" }).innerText();
    await stage.shot(page, "job-failed");

    // Run again makes another job of the same request.
    await page.goto(page.url().replace(/#.*/, `#/jobs/${jobs.resize}`));
    await page.getByRole("button", { name: "Run again" }).click();
    await page.waitForURL((url) => /#\/jobs\/[0-9a-f-]{36}$/.test(url.hash) && !url.hash.endsWith(jobs.resize));
    await page.locator(".job-bar .pill-succeeded").waitFor();

    // Filters stand in the address, and a link to them shows the same.
    await page.getByRole("link", { name: "Jobs", exact: true }).first().click();
    await page.getByRole("table", { name: "Jobs" }).waitFor();
    await stage.shot(page, "jobs");
    await page.getByRole("radio", { name: "Failed" }).check();
    await page.waitForURL(/#\/jobs\?status=failed$/);
    await page.locator(".job-row .pill-succeeded").first().waitFor({ state: "detached" });
    await page.locator(".job-row .pill-failed").first().waitFor();
    const failed = await page.locator(".job-row:not(.job-head)").allInnerTexts();
    await page.getByLabel("Operation").selectOption("tile");
    await page.getByText("No job matches").waitFor();
    const link = await page.evaluate(() => location.hash);
    const linked = await stage.page("#/jobs?operation=tile&status=succeeded");
    await linked.getByRole("table", { name: "Jobs" }).waitFor();
    await linked.locator(".job-link").first().waitFor();
    const tiles = await linked.locator(".job-link").allInnerTexts();
    const odd = await stage.page("#/jobs?status=fialed");
    const told = await odd.locator(".jobs-refused").innerText();
    stage.expected.push(/status of 404/);
    const nowhere = await stage.page("#/jobs/00000000-0000-4000-8000-000000000000");
    await nowhere.getByText("There is no such job").waitFor();
    return { jobs, focused, looked, cost, snippets, draft, missing, failure, failed, link, tiles, told };
}
