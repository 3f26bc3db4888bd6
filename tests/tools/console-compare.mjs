// The compare page of the console, used by pointer and keys; tells as JSON what was seen:
//   node console-compare.mjs '{"url", "key", "optimized": JOB, "resized": JOB, "tiled": JOB, "screenshots": FOLDER}'
import { withPage } from "./browser.mjs";
import { Console } from "./console-pages.mjs";

const wanted = JSON.parse(process.argv[2]);

const told = await withPage(async (first) => {
    const console = new Console(first.context().browser(), wanted);
    const seen = {};
    const open = (job, options) => console.open(wanted.key, `/jobs/${job}/compare`, options);
    const ready = (page) => page.waitForFunction(() => document.querySelectorAll(".compare-picture").length === 2);

    const page = await open(wanted.optimized);
    await ready(page);
    const slider = page.getByRole("slider");
    const share = () => page.locator("compare-slider").evaluate((element) => element.share);
    seen.title = await page.title();
    seen.captions = await page.locator(".caption").allInnerTexts();
    seen.footer = await page.locator(".compare-footer").innerText();
    seen.download = await page.getByRole("link", { name: "Download" }).getAttribute("download");

    const { x, y, width, height } = await slider.boundingBox();
    const frame = await page.locator("compare-slider").boundingBox();
    await page.mouse.move(x + width / 2 + 10, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 10 - frame.width / 4, y + height / 2, { steps: 4 });
    await page.mouse.up();
    seen.dragged = await share();
    await slider.press("End");
    seen.end = await slider.getAttribute("aria-valuenow");
    await slider.press("2");
    seen.key2 = await share();
    await page.keyboard.press("f");
    seen.flipped = [await share()];
    await page.keyboard.press("f");
    seen.flipped.push(await share());

    const percent = page.getByRole("textbox", { name: "Zoom in per cent" });
    await page.keyboard.press("z");
    seen.z = await percent.inputValue();
    await page.getByRole("button", { name: "Zoom in", exact: true }).click();
    seen.step = await percent.inputValue();
    await percent.fill("33 %");
    await percent.press("Enter");
    seen.typed = await percent.inputValue();
    await percent.press("1"); // typed, not a side
    seen.shareWhileTyping = await share();
    await percent.press("Escape");
    await page.getByRole("button", { name: "Pixels" }).click();
    seen.rendering = await page.locator(".compare-picture").first().evaluate((image) => getComputedStyle(image).imageRendering);
    seen.boxes = await page.locator(".compare-picture").evaluateAll((images) => images.map((image) => JSON.stringify(image.getBoundingClientRect())));
    await page.getByRole("button", { name: "Fit" }).click();
    await page.keyboard.press("2");
    await page.getByRole("button", { name: "Copy as curl" }).click();
    seen.curl = await page.evaluate(() => navigator.clipboard.readText());
    await console.picture(page, "compare-light");
    seen.axe = { light: await console.axe(page) };
    await console.close(page);

    const resized = await open(wanted.resized, { dark: true });
    await ready(resized);
    seen.resized = {
        boxes: await resized.locator(".compare-picture").evaluateAll((images) => images.map((image) => JSON.stringify(image.getBoundingClientRect()))),
        natural: await resized.locator(".compare-picture").evaluateAll((images) => images.map((image) => [image.naturalWidth, image.naturalHeight])),
        footer: await resized.locator(".compare-footer").innerText(),
    };
    await console.picture(resized, "compare-dark");
    seen.axe.dark = await console.axe(resized);
    await console.close(resized);

    seen.overflows = [];
    for (const [name, size] of Object.entries({ tablet: { width: 768, height: 1024 }, phone: { width: 390, height: 844, touch: true } })) {
        const small = await open(wanted.optimized, size);
        await ready(small);
        seen.overflows.push(await console.overflows(small));
        await console.picture(small, `compare-${name}`);
        if (name === "phone") {
            seen.lying = await small.getByRole("slider").getAttribute("aria-orientation");
            seen.axe.phone = await console.axe(small);
        }
        await console.close(small);
    }

    const tiled = await open(wanted.tiled);
    seen.nothing = await tiled.locator(".empty").innerText();
    await console.close(tiled);
    return { ...seen, complained: console.complaints };
});
console.log(JSON.stringify(told));
