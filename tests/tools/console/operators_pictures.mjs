// Makes the picture of the overview for docs/console.md, of a service that has been at work for a while.
import { join } from "node:path";

export default async function play(stage, { operator, folder, seconds }) {
    stage.expected.push(/status of 401/);
    const page = await stage.page("#/operators", { key: undefined });
    await page.getByLabel("Name").fill(operator.name);
    await page.getByLabel("Password").fill(operator.password);
    await page.getByLabel("Password").press("Enter");
    await page.locator(".op-figure").first().waitFor();
    const until = Date.now() + seconds * 1_000;
    await page.waitForFunction((end) => Date.now() > end && Number(document.querySelector(".op-figure .figure").textContent) > 0, until, { timeout: 120_000, polling: 200 });
    await page.screenshot({ path: join(folder, "console-operators.png"), animations: "disabled" });
    return {};
}
