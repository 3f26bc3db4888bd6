// Every page in both themes and three sizes: axe finds nothing, nothing is cut off at the side.
import { sizes } from "./stage.mjs";

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
    const looked = [];
    for (const theme of ["light", "dark"]) {
        const signIn = await stage.page("#/", { theme, key: null });
        await signIn.getByLabel("API key").waitFor();
        for (const line of await stage.axe(signIn)) found.push(`sign-in ${theme}: ${line}`);
        await stage.shot(signIn, `sign-in-${theme}`);
        await signIn.context().close();
        for (const size of Object.keys(sizes)) {
            const page = await stage.page("#/", { theme, size });
            for (const [name, hash] of Object.entries(pages)) {
                await page.evaluate((to) => { location.hash = to; }, hash);
                await stage.settled(page);
                if (process.env.CONSOLE_TIMES) console.error(name, size, theme, Math.round(performance.now()));
                const over = await stage.overflow(page);
                if (over > 0) found.push(`${name} ${size}: ${over} pixels beyond the side`);
                // Colours differ by theme, names and sizes do not: the tablet is between the others.
                if (size !== "tablet") for (const line of await stage.axe(page)) found.push(`${name} ${theme} ${size}: ${line}`);
                await stage.shot(page, `${name}-${size}-${theme}`);
                looked.push(`${name} ${size} ${theme}`);
            }
            await page.context().close();
        }
    }
    return { found, looked: looked.length };
}
