// Opens the page of `tessera tiles serve`, presses keys and tells what its canvas shows at points of the picture:
//   node view-page.mjs '{"url", "steps": [{"keys": ["+", …], "hash": "#x,y,scale", "points": [[x, y], …]}, …], "screenshot": FILE}'
import { withPage } from "./browser.mjs";

const wanted = JSON.parse(process.argv[2]);

async function settled(tab) {
    await tab.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await tab.waitForFunction(() => document.documentElement.dataset.ready === "yes");
}

function look(points) {
    const canvas = document.getElementById("stage"), pen = canvas.getContext("2d");
    const colours = points.map(([x, y]) => {
        const at = [view.x + (x + 0.5) * view.scale, view.y + (y + 0.5) * view.scale].map((v) => Math.floor(v * devicePixelRatio));
        return [...pen.getImageData(...at, 1, 1).data];
    });
    const text = (id) => document.getElementById(id).textContent;
    return { colours, shown: text("scale"), size: text("size"), tiles: text("tiles"), title: document.title,
             hash: location.hash, trouble: document.getElementById("trouble").hidden ? "" : text("trouble") };
}

const told = await withPage(async (tab) => {
    const requests = [];
    tab.on("request", (request) => requests.push(request.url()));
    await tab.goto(wanted.url);
    await tab.waitForFunction(() => document.documentElement.dataset.ready);
    const steps = [];
    for (const step of wanted.steps) {
        if (step.hash) await tab.evaluate((hash) => { location.hash = hash; }, step.hash);
        for (const key of step.keys ?? []) await tab.keyboard.press(key);
        if (step.drag) {
            await tab.mouse.move(450, 300);
            await tab.mouse.down();
            await tab.mouse.move(450 + step.drag[0], 300 + step.drag[1], { steps: 4 });
            await tab.mouse.up();
        }
        await settled(tab);
        steps.push(await tab.evaluate(look, step.points ?? []));
        if (wanted.screenshot) await tab.screenshot({ path: wanted.screenshot.replace("%", steps.length) });
    }
    return { steps, requests };
});
console.log(JSON.stringify(told));
