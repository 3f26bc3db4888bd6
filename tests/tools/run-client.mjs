// Runs a bundle in a page of the service's own origin, as a site does that puts both behind one address, and tells what it reports:
//   node run-client.mjs '{"url": ORIGIN, "key": KEY, "bundle": FILE}'
import { readFileSync } from "node:fs";
import { withPage } from "./browser.mjs";

const { url, key, bundle } = JSON.parse(process.argv[2]);

const told = await withPage(async (tab) => {
    const reported = new Promise((resolve) => tab.exposeFunction("report", resolve));
    const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module">${readFileSync(bundle)}</script>`;
    await tab.route(`${url}/client.html*`, (route) => route.fulfill({ contentType: "text/html", body: page }));
    await tab.goto(`${url}/client.html?${new URLSearchParams({ url, key })}`);
    return { report: await reported };
});
console.log(JSON.stringify(told));
