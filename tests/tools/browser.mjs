// A headless Chromium for tests, from the machine: nothing is downloaded.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const chromiumPath = places.find((path) => path && existsSync(path));

export const plain = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb"];

export const startBrowser = (args = plain) =>
    chromium.launch({
        executablePath: chromiumPath,
        args,
        timeout: 60_000,
    });

// Runs `work` on a browser and closes it, whatever happens.
export async function withBrowser(work, args = plain) {
    const browser = await startBrowser(args);
    try {
        return await work(browser);
    } finally {
        await browser.close();
    }
}

// Runs `work` on a page. What the page complains of goes to `complaints`.
export function withPage(work, args = plain) {
    return withBrowser(async (browser) => {
        const page = await browser.newPage({ viewport: { width: 900, height: 600 }, deviceScaleFactor: 1 });
        page.setDefaultTimeout(60_000);
        const complaints = [];
        page.on("pageerror", (error) => complaints.push(String(error)));
        page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
        const told = await work(page);
        return { ...told, complaints };
    }, args);
}
