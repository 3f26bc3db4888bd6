// Every operators' page in both themes, on a desktop and a phone: axe finds nothing, nothing is cut off at the side.
export default async function play(stage, { operator, accountId, deliveryId }) {
    const pages = {
        overview: "#/operators",
        accounts: "#/operators/accounts",
        "accounts-none": "#/operators/accounts?q=nobody-is-called-this",
        "account-new": "#/operators/accounts?dialog=new",
        account: `#/operators/accounts/${accountId}`,
        plans: "#/operators/plans",
        usage: "#/operators/usage",
        webhooks: "#/operators/webhooks",
        delivery: `#/operators/webhooks/deliveries/${deliveryId}`,
        audit: "#/operators/audit",
        configuration: "#/operators/configuration",
        sessions: "#/operators/sessions",
        nowhere: "#/operators/nowhere",
    };
    stage.expected.push(/status of 401/);
    const found = [];
    const looked = [];
    for (const theme of ["light", "dark"]) {
        for (const size of ["desktop", "phone"]) {
            const page = await stage.page("#/operators", { theme, size, key: undefined });
            await page.getByLabel("Name").waitFor();
            for (const line of await stage.axe(page)) found.push(`sign-in ${theme} ${size}: ${line}`);
            await stage.shot(page, `operators-sign-in-${size}-${theme}`);
            await page.getByLabel("Name").fill(operator.name);
            await page.getByLabel("Password").fill(operator.password);
            await page.getByLabel("Password").press("Enter");
            await page.locator("#page-title").waitFor();
            for (const [name, hash] of Object.entries(pages)) {
                await page.evaluate((to) => { location.hash = to; }, hash);
                await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
                await page.waitForLoadState("networkidle").catch(() => undefined);
                const over = await stage.overflow(page);
                if (over > 0) found.push(`${name} ${size}: ${over} pixels beyond the side`);
                for (const line of await stage.axe(page)) found.push(`${name} ${theme} ${size}: ${line}`);
                await stage.shot(page, `operators-${name}-${size}-${theme}`);
                looked.push(name);
            }
            await page.context().close();
        }
    }
    return { found, looked: looked.length };
}
