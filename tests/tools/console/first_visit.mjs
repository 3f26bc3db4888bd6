// From an empty account to a picture one can zoom into, in three clicks.
export default async function play(stage) {
    const page = await stage.page("#/");
    await page.getByText("Put in a picture to begin").waitFor();
    await stage.shot(page, "first-visit");
    await page.getByRole("button", { name: "Try a sample picture" }).click();
    await page.getByRole("button", { name: "Make it zoomable" }).click();
    await page.getByRole("link", { name: "Open", exact: true }).click();
    await page.waitForURL(/#\/tilesets\/[0-9a-f-]{36}$/);
    return { hash: await page.evaluate(() => location.hash) };
}
