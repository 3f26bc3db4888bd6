// The list lives: jobs of others wait behind a button, a restart in the middle is survived, a key that ends leads back to signing in.
export default async function play(stage, { otherKey }) {
    stage.expected.push(/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_ABORTED|ERR_INTERNET_DISCONNECTED|ERR_NETWORK|network error/, /status of 401/, /status of 503/);
    const page = await stage.page("#/jobs");
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByRole("table", { name: "Jobs" }).waitFor();
    const before = await page.locator(".job-link").count();

    await stage.askOutside("submit", { count: 3 });
    await page.getByRole("button", { name: "3 new jobs" }).waitFor();
    const still = await page.locator(".job-link").count();
    await page.getByRole("button", { name: "3 new jobs" }).click();
    await page.waitForFunction((count) => document.querySelectorAll(".job-link").length === count, before + 3);

    await page.context().setOffline(true);
    await page.getByText("The service can't be reached").waitFor();
    await page.context().setOffline(false);
    await page.getByText("The service can't be reached").waitFor({ state: "detached" });

    await stage.askOutside("stop");
    await page.getByText("The service can't be reached").waitFor();
    await stage.shot(page, "away");
    const rowsWhileAway = await page.locator(".job-link").count();
    await stage.askOutside("start");
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByText("The service can't be reached").waitFor({ state: "detached" });
    await stage.askOutside("submit", { count: 1 });
    await page.getByRole("button", { name: "1 new job" }).waitFor();

    await stage.askOutside("revoke");
    await page.getByText(/You were signed out: invalid api key/).waitFor();
    await page.reload();
    await page.getByText(/You were signed out: invalid api key/).waitFor();
    await stage.shot(page, "signed-out");
    await page.getByLabel("API key").fill(otherKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("table", { name: "Jobs" }).waitFor();
    // Whoever leaves by themselves is told nothing, now or later.
    const hash = await page.evaluate(() => location.hash);
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.reload();
    await page.getByLabel("API key").waitFor();
    const toldAfterLeaving = await page.getByText("You were signed out").count();
    return { before, still, rowsWhileAway, hash, toldAfterLeaving };
}
