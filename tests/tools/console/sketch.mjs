// The form of a resize draws what will come of it: its colours, where the results of jobs with the same options have theirs.
export default async function play(stage, { jobs, shares }) {
    stage.expected.push(/Multiple readback operations/); // ours, below
    const page = await stage.page("#/jobs");
    const seen = {};
    for (const [name, job] of Object.entries(jobs)) {
        await page.goto(page.url().replace(/#.*/, `#/jobs/new?from=${job}`));
        await page.getByRole("img", { name: "The result, small" }).waitFor();
        await page.waitForFunction(() => {
            const canvas = document.querySelector(".sketch-canvas");
            return canvas?.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3] === 255;
        });
        seen[name] = await page.evaluate((at) => {
            const canvas = document.querySelector(".sketch-canvas");
            const pen = canvas.getContext("2d");
            const colour = ([x, y]) => [...pen.getImageData(Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data].slice(0, 3);
            return { colours: at.map(colour), words: document.querySelector(".sketch p").innerText };
        }, shares);
        await stage.shot(page, `sketch-${name}`);
        await page.goto(page.url().replace(/#.*/, "#/jobs"));
        await page.getByRole("table", { name: "Jobs" }).waitFor();
    }
    return { seen };
}
