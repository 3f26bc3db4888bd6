// Several jobs at once: selected by pointer and by keys, copied, run again, cancelled.
export default async function play(stage) {
    const page = await stage.page("#/jobs");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("table", { name: "Jobs" }).waitFor();
    const boxes = page.getByRole("checkbox", { name: /^Select (grid_render|resize)/ });
    const words = page.getByRole("region", { name: "Selected jobs" }).getByRole("status");
    const act = (name) => page.getByRole("region", { name: "Selected jobs" }).getByRole("button", { name, exact: true });
    const confirm = (name) => page.getByRole("dialog").getByRole("button", { name }).click();
    const top = () => boxes.first().boundingBox().then(({ y }) => y);
    const seen = {};

    // By pointer: one, then all up to another.
    const before = await top();
    await boxes.nth(0).click();
    seen.one = await words.innerText();
    seen.moved = (await top()) - before;
    await boxes.nth(3).click({ modifiers: ["Shift"] });
    seen.range = await words.innerText();
    seen.cancelOfEnded = await act("Cancel").isEnabled();
    await act("Copy ids").click();
    await page.getByText("4 ids copied.").waitFor();
    seen.copied = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
    seen.axe = await stage.axe(page);
    await stage.shot(page, "jobs-selected");
    await boxes.nth(3).press("Escape");
    await act("Cancel").waitFor({ state: "detached" });

    // By keys: one, the next, a range, and one more.
    await boxes.nth(0).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+Space");
    seen.byKeys = await words.innerText();
    await page.keyboard.press("Shift+ArrowDown");
    seen.oneMore = await words.innerText();
    await page.keyboard.press("Space");
    seen.oneLess = await words.innerText();

    await act("Run again").click();
    seen.question = await page.getByRole("dialog").innerText();
    await confirm("Run 3 jobs");
    await page.getByText("3 jobs accepted.").waitFor();
    await page.getByRole("button", { name: "3 new jobs" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".job-link").length === 7);

    // What has not ended is cancelled; all of it by the box in the head.
    seen.slow = await stage.askOutside("slow");
    await page.getByRole("button", { name: `${seen.slow.length} new jobs` }).click();
    await page.waitForFunction((count) => document.querySelectorAll(".job-link").length === count, 7 + seen.slow.length);
    await boxes.nth(0).click();
    await boxes.nth(2).click({ modifiers: ["Shift"] });
    await act("Cancel").click();
    await confirm("Cancel 3 jobs");
    await page.getByText(/^3 jobs cancelled/).waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll(".pill")].filter((pill) => /cancelled/.test(pill.textContent)).length === 3);
    const all = page.getByRole("checkbox", { name: "Select all jobs" });
    await boxes.nth(0).click();
    seen.some = await all.evaluate((box) => box.indeterminate);
    await all.click();
    seen.all = await words.innerText();
    await act("Cancel").click();
    await confirm(/^Cancel/);
    await page.getByText(/cancelled\./).last().waitFor();
    await page.getByRole("radio", { name: "Succeeded" }).check();
    seen.afterAnotherFilter = await page.getByRole("region", { name: "Selected jobs" }).count();

    const phone = await stage.page("#/jobs", { size: "phone", theme: "dark" });
    await phone.getByRole("table", { name: "Jobs" }).waitFor();
    const row = phone.getByRole("checkbox", { name: /^Select grid_render/ });
    const place = await row.first().boundingBox();
    await row.first().tap();
    await phone.getByRole("region", { name: "Selected jobs" }).waitFor();
    seen.movedOnPhone = (await row.first().boundingBox()).y - place.y;
    await phone.getByRole("button", { name: "Select all" }).tap();
    seen.allOnPhone = await phone.getByRole("region", { name: "Selected jobs" }).getByRole("status").innerText();
    seen.overflow = await stage.overflow(phone);
    seen.axeOnPhone = await stage.axe(phone);
    await stage.shot(phone, "jobs-selected-phone");
    return seen;
}
