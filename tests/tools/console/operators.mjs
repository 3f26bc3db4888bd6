// The operators' part as an operator uses it: signing in and being refused, an account and its key from its making to its
// end, and what is written down of it.
async function signIn(page, { name, password }) {
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Password", { exact: true }).press("Enter");
}

const heading = (page, name) => page.getByRole("heading", { name, level: 1 });
const to = (page, place) => page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: place }).click();

export default async function play(stage, { operator, accountId, endpoint }) {
    stage.expected.push(/status of 40[0-9]/, /status of 429/);
    const found = {};

    // A deep link is kept over the sign-in.
    const page = await stage.page("#/operators/audit", { key: undefined });
    await page.getByRole("button", { name: "Sign in" }).click();
    found.empty = await page.getByRole("alert").innerText();
    await signIn(page, { ...operator, password: "a wrong password" });
    await page.locator("[role=alert] .request-id").waitFor();
    found.refused = await page.getByRole("alert").innerText();
    await signIn(page, operator);
    await heading(page, "Audit trail").waitFor();
    found.kept = await page.evaluate(() => location.hash);
    found.seen = await page.evaluate(() => ({ cookies: document.cookie, local: localStorage.length }));
    await page.reload();
    await heading(page, "Audit trail").waitFor();

    // An account is made; its slug follows from its name, and a reload loses nothing.
    await to(page, "Accounts");
    await page.getByRole("button", { name: "New account" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Studio Nörd");
    await page.reload();
    found.slug = await page.getByLabel("Slug", { exact: true }).inputValue();
    await page.getByRole("button", { name: "Create account" }).click();
    await heading(page, /Studio Nörd/).waitFor();
    found.account = await page.evaluate(() => location.hash.split("/").pop());

    // A key is shown once, and can't be closed by a slip.
    await page.getByRole("button", { name: "Issue key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("web shop");
    await page.getByLabel("Expires").selectOption("30");
    await page.getByLabel("Address ranges").fill("nowhere/8");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Issue key" }).click();
    await dialog.locator(".request-id").waitFor();
    found.badRange = await dialog.getByRole("alert").innerText();
    await page.getByLabel("Address ranges").fill("127.0.0.0/8, ::1/128");
    await dialog.getByRole("button", { name: "Issue key" }).click();
    const secret = dialog.locator(".op-secret code");
    await secret.waitFor();
    found.key = await secret.innerText();
    await page.keyboard.press("Escape");
    found.stays = await secret.isVisible();
    await stage.shot(page, "operators-key");
    await page.getByLabel("I have put it where it is kept").check();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /web shop/ }).getByText("active").waitFor();
    found.afterwards = (await page.content()).includes(found.key);

    // It works in the customers' part, and no more once the account is suspended.
    const customer = await stage.page("#/jobs", { key: found.key });
    await customer.getByText("No jobs yet").waitFor();
    const suspend = page.getByRole("button", { name: "Suspend", exact: true });
    await suspend.click();
    await page.getByRole("button", { name: "Undo" }).click();
    await suspend.waitFor();
    await suspend.click();
    await page.locator(".op-refused").waitFor();
    await customer.reload();
    await customer.getByLabel("API key").waitFor();
    found.suspended = await customer.locator("main").innerText();
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await suspend.waitFor();
    await page.getByRole("switch", { name: "Public tiles" }).click();
    await page.locator('[role=switch][aria-checked="true"]:not(:disabled)').waitFor();

    // The key is revoked, the account erased: its slug is typed before.
    await page.getByRole("button", { name: "Revoke web shop" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByRole("row", { name: /web shop/ }).getByText("revoked").waitFor();
    await page.getByRole("button", { name: "Erase …" }).click();
    const erase = page.getByRole("button", { name: "Erase for good" });
    found.eraseBefore = await erase.isEnabled();
    await page.getByLabel(/to go on/).fill(found.slug);
    await erase.click();
    await page.getByText("erased", { exact: true }).first().waitFor();

    // All of it is written down: of this account, by a link to it, and of another by its slug.
    const trail = async () => ({
        acts: await page.locator(".op-table tbody .op-name").allInnerTexts(),
        actors: [...new Set(await page.locator(".op-table tbody tr td:nth-child(3)").allInnerTexts())],
        accounts: [...new Set(await page.locator(".op-table tbody tr td:nth-child(2)").allInnerTexts())],
    });
    await to(page, "Audit trail");
    await page.getByRole("table").getByText(/erase/).first().waitFor();
    found.wholeTrail = await trail();
    await page.goto(page.url().replace(/#.*/, `#/operators/audit?account_id=${found.account}`));
    await page.getByRole("button", { name: "Show of every account" }).waitFor();
    await page.getByText("operator.sign_in").first().waitFor({ state: "detached" });
    found.trail = await trail();
    await page.getByLabel("Account", { exact: true }).fill("shop");
    await page.waitForURL((url) => url.hash.endsWith(accountId));
    await page.getByRole("link", { name: "shop", exact: true }).first().waitFor();
    found.shopTrail = await trail();
    await page.getByRole("button", { name: "Show of every account" }).click();
    await page.waitForURL(/#\/operators\/audit$/);

    // A delivery that failed is looked at and sent again.
    await page.evaluate((hash) => { location.hash = hash; }, `#/operators/webhooks?account_id=${accountId}&state=failed`);
    await page.getByRole("table").getByText(endpoint).first().waitFor();
    await page.getByRole("link", { name: /job\./ }).first().click();
    await page.getByRole("table").getByText("500").first().waitFor();
    found.body = await page.locator(".op-code").innerText();
    await stage.askOutside("mend");
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByText("It is sent again.").waitFor();
    await stage.askOutside("delivered");
    await page.getByRole("button", { name: "Refresh now" }).click();
    await page.getByText("delivered", { exact: true }).waitFor();

    // Revoked from another browser: back at the sign-in, and from there to where one was.
    const other = await stage.page("#/operators/sessions", { key: undefined });
    await signIn(other, operator);
    await other.getByRole("button", { name: "Revoke", exact: true }).first().click();
    await other.getByRole("button", { name: "Revoke the session" }).click();
    await other.getByRole("dialog").waitFor({ state: "detached" });
    await to(page, "Plans");
    await page.getByText("You were signed out").waitFor();
    await page.reload();
    await page.getByText("You were signed out").waitFor();
    await signIn(page, operator);
    await heading(page, "Plans").waitFor();
    await page.getByRole("button", { name: operator.name }).click();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByLabel("Password", { exact: true }).waitFor();
    await other.reload();
    await other.getByLabel("Password", { exact: true }).waitFor();

    // Too many tries: how long to wait is counted down.
    for (let tries = 0, status = 0; tries < 14 && status !== 429; tries += 1) {
        const answered = other.waitForResponse(/console\/api\/session$/);
        await signIn(other, { name: "nobody", password: `guess number ${tries}` });
        status = (await answered).status();
        await other.locator("[role=alert] .request-id").waitFor();
    }
    found.wait = await other.getByRole("button", { name: /Try again in \d+ second/ }).innerText();
    return found;
}
