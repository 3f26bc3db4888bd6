// A headless Chromium for tests, from the machine: nothing is downloaded.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const plain = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb"];

// Runs `work` on a page and closes everything, whatever happens. What the page complains of goes to `complaints`.
export async function withPage(work, args = plain) {
    const executablePath = places.find((path) => path && existsSync(path));
    const browser = await chromium.launch({
        executablePath,
        args,
        timeout: 60_000,
    });
    try {
        const page = await browser.newPage({ viewport: { width: 900, height: 600 }, deviceScaleFactor: 1 });
        page.setDefaultTimeout(60_000);
        const complaints = [];
        page.on("pageerror", (error) => complaints.push(String(error)));
        page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
        const told = await work(page);
        return { ...told, complaints };
    } finally {
        await browser.close();
    }
}
