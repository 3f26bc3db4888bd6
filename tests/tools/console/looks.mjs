// Every page in both themes and three sizes: axe finds nothing, nothing is cut off at the side.
export default async function play(stage, { asset, job, failedJob }) {
    stage.expected.push(/status of 404/);
    const pages = {
        upload: "#/upload",
        assets: "#/assets",
        asset: `#/assets/${asset}`,
        jobs: "#/jobs",
        job: `#/jobs/${job}`,
        "failed-job": `#/jobs/${failedJob}`,
        "new-job": `#/jobs/new?operation=resize&asset_id=${asset}`,
        "new-grid": "#/jobs/new?operation=grid_render",
        usage: "#/usage",
        nowhere: "#/nowhere",
    };
    const found = [];
    let looked = 0;
    // Colours differ by theme, the order of things by size: what axe finds in the others it finds in these. Pictures are made of all.
    const combinations = ["desktop light", "desktop dark", "phone light", "tablet light"];
    if (stage.wanted.screenshots) combinations.push("phone dark", "tablet dark");
    for (const combination of combinations) {
        const [size, theme] = combination.split(" ");
        const looksClosely = combination !== "tablet light";
        const signIn = await stage.page("#/", { theme, size, key: null });
        await signIn.getByLabel("API key").waitFor();
        if (looksClosely) for (const line of await stage.axe(signIn)) found.push(`sign-in ${combination}: ${line}`);
        await stage.shot(signIn, `sign-in-${size}-${theme}`);
        await signIn.context().close();
        const page = await stage.page("#/", { theme, size });
        for (const [name, hash] of Object.entries(pages)) {
            await page.evaluate((to) => { location.hash = to; }, hash);
            await stage.settled(page);
            const over = await stage.overflow(page);
            if (over > 0) found.push(`${name} ${size}: ${over} pixels beyond the side`);
            if (looksClosely) for (const line of await stage.axe(page)) found.push(`${name} ${combination}: ${line}`);
            await stage.shot(page, `${name}-${size}-${theme}`);
            looked += 1;
        }
        await page.context().close();
    }
    return { found, looked };
}
