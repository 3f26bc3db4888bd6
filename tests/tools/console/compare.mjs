// The compare page, used by pointer and by keys; `optimized`, `resized` and `tiled` are jobs.
export default async function play(stage, wanted) {
    const seen = {};
    const open = (job, options) => stage.page(`#/jobs/${job}/compare`, options);
    const ready = (page) => page.waitForFunction(() => document.querySelectorAll(".compare-picture").length === 2);

    const page = await open(wanted.optimized);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
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
    await stage.shot(page, "compare-light");
    seen.axe = { light: await stage.axe(page) };
    await page.context().close();

    const resized = await open(wanted.resized, { theme: "dark" });
    await ready(resized);
    seen.resized = {
        boxes: await resized.locator(".compare-picture").evaluateAll((images) => images.map((image) => JSON.stringify(image.getBoundingClientRect()))),
        natural: await resized.locator(".compare-picture").evaluateAll((images) => images.map((image) => [image.naturalWidth, image.naturalHeight])),
        footer: await resized.locator(".compare-footer").innerText(),
    };
    await stage.shot(resized, "compare-dark");
    seen.axe.dark = await stage.axe(resized);
    await resized.context().close();

    // Of several results each has its own comparison, which stands in the address.
    const several = await stage.page(`#/jobs/${wanted.several}`);
    const second = several.getByRole("region", { name: "Result w200" });
    seen.several = { facts: await second.innerText(), palette: await second.getByRole("img", { name: /^Its colours/ }).getAttribute("aria-label") };
    seen.axe.several = await stage.axe(several);
    await stage.shot(several, "job-several");
    await second.getByRole("link", { name: "Compare" }).click();
    await ready(several);
    const natural = () => several.locator(".compare-picture").last().evaluate((image) => [image.naturalWidth, image.naturalHeight]);
    seen.several.compared = await natural();
    await several.getByLabel("Result", { exact: true }).selectOption("primary");
    await several.waitForURL(/result=primary$/);
    await several.waitForFunction(() => document.querySelector(".compare-footer")?.innerText.includes("300 × 200"));
    await ready(several);
    seen.several.chosen = await natural();
    await several.context().close();

    seen.overflows = [];
    for (const name of ["tablet", "phone"]) {
        const small = await open(wanted.optimized, { size: name });
        await ready(small);
        seen.overflows.push((await stage.overflow(small)) > 0);
        await stage.shot(small, `compare-${name}`);
        if (name === "phone") {
            seen.lying = await small.getByRole("slider").getAttribute("aria-orientation");
            seen.axe.phone = await stage.axe(small);
        }
        await small.context().close();
    }

    // What the browser can't decode is said, and shown by the service's preview where there is one.
    stage.expected.push(/status of 404/);
    const strange = await open(wanted.strange);
    await strange.getByText("This browser can't show heif").first().waitFor();
    seen.strange = await strange.locator(".caption").allInnerTexts();
    await strange.context().close();

    const tiled = await open(wanted.tiled);
    seen.nothing = await tiled.locator(".empty").innerText();
    await tiled.context().close();
    return seen;
}
