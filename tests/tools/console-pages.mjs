// What scripts that drive the console share: a signed-in page that notes what it asks for and complains of, and axe.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axePath = (() => {
    try {
        return createRequire(import.meta.url).resolve("axe-core/axe.min.js");
    } catch {
        return undefined;
    }
})();

export class Console {
    constructor(browser, { url, screenshots }) {
        Object.assign(this, { browser, url, screenshots });
        this.complaints = [];
    }

    /** A page of the console, signed in with `key`. `asked` holds what it has asked for since it was last emptied. */
    async open(key, path, { width = 1280, height = 800, dark = false, touch = false } = {}) {
        const context = await this.browser.newContext({
            viewport: { width, height }, colorScheme: dark ? "dark" : "light", hasTouch: touch,
            permissions: ["clipboard-read", "clipboard-write"],
        });
        const page = await context.newPage();
        page.setDefaultTimeout(30_000);
        page.asked = [];
        page.on("request", (request) => page.asked.push(request.url()));
        page.on("pageerror", (error) => this.complaints.push(String(error)));
        page.on("console", (message) => {
            if (["error", "warning"].includes(message.type())) this.complaints.push(message.text());
        });
        await page.addInitScript((given) => sessionStorage.setItem("tessera.key", given), key);
        await page.goto(`${this.url}#${path}`);
        return page;
    }

    async close(page) {
        await page.context().close();
    }

    async picture(page, name) {
        if (this.screenshots) await page.screenshot({ path: `${this.screenshots}/${name}.png` });
    }

    /** What axe finds wrong, in short; null where it is not installed. */
    async axe(page) {
        if (!axePath || !existsSync(axePath)) return null;
        await page.evaluate(readFileSync(axePath, "utf8"));
        return page.evaluate(async () => {
            const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
            return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).slice(0, 3).join(", ")}`);
        });
    }

    /** Whether the page is wider than its window. */
    overflows(page) {
        return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    }
}
