// What scenes share: the browser, pages of it, what they complained of, axe, screenshots.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startBrowser } from "../browser.mjs";

const axeSource = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

export const sizes = { desktop: [1280, 800], tablet: [768, 1024], phone: [390, 844] };

export class Stage {
    complaints = [];
    /** Complaints that the scene provokes on purpose: a browser writes one for every refused request. */
    expected = [];
    pages = [];

    static async open(wanted, askOutside) {
        const stage = new Stage();
        stage.wanted = wanted;
        stage.askOutside = askOutside;
        stage.browser = await startBrowser();
        return stage;
    }

    /** A page of a tab of its own, signed in unless told otherwise. */
    async page(hash = "#/", { size = "desktop", theme = "light", key = this.wanted.key } = {}) {
        const [width, height] = sizes[size];
        const context = await this.browser.newContext({
            viewport: { width, height },
            colorScheme: theme,
            hasTouch: size === "phone",
            isMobile: size === "phone",
            deviceScaleFactor: 1,
            acceptDownloads: true,
        });
        const page = await context.newPage();
        this.watch(page);
        if (key) {
            await page.addInitScript((text) => {
                if (!sessionStorage.getItem("seeded")) sessionStorage.setItem("tessera.key", text);
                sessionStorage.setItem("seeded", "yes");
            }, key);
        }
        await page.goto(this.wanted.url + hash);
        return page;
    }

    watch(page) {
        page.setDefaultTimeout(30_000);
        page.asked = []; // addresses, in order
        page.on("request", (request) => page.asked.push(request.url()));
        const hear = (text) => this.expected.some((pattern) => pattern.test(text)) || this.complaints.push(text);
        page.on("pageerror", (error) => hear(String(error)));
        page.on("console", (message) => {
            // Of a damaged picture there is no preview: the browser writes that down, the console shows a sign in its place.
            if (message.location().url.endsWith("/preview")) return;
            if (["error", "warning"].includes(message.type())) hear(message.text());
        });
        this.pages.push(page);
    }

    /** What axe finds, in a line for each rule. */
    async axe(page) {
        await page.evaluate(axeSource);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.any[0]?.message ?? ""}`).join(" | ")}`.slice(0, 600));
    }

    /** What is shown has come: no skeleton, and every picture in its place or given up. */
    async settled(page) {
        await page.waitForFunction(() => {
            const frames = [...document.querySelectorAll(".thumb")].filter((frame) => frame.getBoundingClientRect().top < innerHeight);
            return !document.querySelector("[aria-busy=true]") && document.querySelector("main *") &&
                frames.every((frame) => frame.firstElementChild) && [...document.images].every((image) => image.complete);
        });
    }

    /** Nothing is cut off at the side: the page scrolls down only. */
    async overflow(page) {
        return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    }

    async shot(page, name) {
        if (!this.wanted.screenshots) return;
        mkdirSync(this.wanted.screenshots, { recursive: true });
        await page.screenshot({ path: join(this.wanted.screenshots, `${name}.png`), animations: "disabled" });
    }

    async keepLastSight(name) {
        for (const [index, page] of this.pages.entries()) {
            await page.screenshot({ path: `/tmp/console-${name}-${index}.png` }).catch(() => undefined);
        }
        if (this.complaints.length > 0) console.error(this.complaints.join("\n"));
    }

    async close() {
        await this.browser.close();
    }
}
