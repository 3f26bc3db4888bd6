// A Chromium that nobody listens to while it opens a page. A driver is told of every request and frame, which on a few cores takes as
// much time as the page itself; here a page notes its own time, and is asked for it afterwards.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { chromiumPath, plain } from "../../tests/tools/browser.mjs";

const settled = 500; // milliseconds in which a new window comes to rest
const asksEvery = 500;
const patience = 60_000;

class Unwatched {
    #child;
    #folder = mkdtempSync(join(tmpdir(), "tessera-bench-"));
    #heard = "";
    #waiting = new Map();
    #asked = 0;
    #ended;

    constructor() {
        const args = ["--headless", "--no-first-run", `--user-data-dir=${this.#folder}`, "--remote-debugging-pipe", ...plain, "about:blank"];
        this.#child = spawn(chromiumPath, args, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
        this.#ended = new Promise((resolve) => this.#child.once("exit", resolve)).then(() => {
            for (const { reject } of this.#waiting.values()) reject(new Error("Chromium has ended"));
        });
        this.#child.stdio[4].setEncoding("utf8").on("data", (text) => this.#hear(text));
    }

    #hear(text) {
        const messages = (this.#heard + text).split("\0");
        this.#heard = messages.pop();
        for (const message of messages.map((one) => JSON.parse(one))) {
            const { resolve, reject } = this.#waiting.get(message.id) ?? {};
            this.#waiting.delete(message.id);
            if (message.error) reject?.(new Error(message.error.message));
            else resolve?.(message.result);
        }
    }

    #ask(method, params = {}, sessionId = undefined) {
        const id = ++this.#asked;
        this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
        return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    }

    /**
     * Opens `url` with an empty cache, or again where it was opened before (`warm`). `script` runs before the page's own. Answers with what
     * `expression` is in the page, as soon as it is something.
     */
    async visit({ url, script, expression, warm = false }) {
        const { browserContextId } = await this.#ask("Target.createBrowserContext");
        const { targetId } = await this.#ask("Target.createTarget", { url: "about:blank", browserContextId, width: 1280, height: 800 });
        const { sessionId } = await this.#ask("Target.attachToTarget", { targetId, flatten: true });
        await this.#ask("Page.enable", {}, sessionId);
        await this.#ask("Page.addScriptToEvaluateOnNewDocument", { source: script }, sessionId);
        const open = async () => {
            await pause(settled);
            await this.#ask("Page.navigate", { url }, sessionId);
            return this.#read(expression, sessionId);
        };
        if (warm) {
            await open();
            await this.#ask("Page.navigate", { url: "about:blank" }, sessionId);
        }
        const value = await open();
        await this.#ask("Target.disposeBrowserContext", { browserContextId });
        return value;
    }

    async #read(expression, sessionId) {
        for (const end = Date.now() + patience; Date.now() < end; ) {
            await pause(asksEvery);
            const { result } = await this.#ask("Runtime.evaluate", { expression, returnByValue: true }, sessionId);
            if (result.value !== undefined) return result.value;
        }
        throw new Error(`the page can't be used after ${patience / 1000} s`);
    }

    async close() {
        this.#child.kill();
        await this.#ended;
        rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
    }
}

/** Runs `work` on it and closes it, whatever happens. */
export async function withUnwatched(work) {
    const browser = new Unwatched();
    try {
        return await work(browser);
    } finally {
        await browser.close();
    }
}
