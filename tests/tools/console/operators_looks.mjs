// Every operators' page in both themes: axe finds nothing, nothing is cut off at the side. Light is a desktop and dark a phone;
// where screenshots are wanted, each is both.
export default async function play(stage, { operator, accountId, deliveryId, screenshots }) {
    // Where, and what is there once it has been read.
    const pages = {
        overview: ["#/operators", ".op-figure"],
        accounts: ["#/operators/accounts", ".op-table"],
        "accounts-none": ["#/operators/accounts?q=nobody-is-called-this", ".empty"],
        "account-new": ["#/operators/accounts?dialog=new", "dialog[open]"],
        account: [`#/operators/accounts/${accountId}`, ".op-switch"],
        plans: ["#/operators/plans", ".op-plans"],
        usage: ["#/operators/usage", ".op-used"],
        webhooks: ["#/operators/webhooks", ".op-url"],
        delivery: [`#/operators/webhooks/deliveries/${deliveryId}`, ".op-code"],
        audit: ["#/operators/audit", ".op-subject"],
        configuration: ["#/operators/configuration", ".op-setting"],
        sessions: ["#/operators/sessions", ".op-table"],
        nowhere: ["#/operators/nowhere", ".empty"],
    };
    const looks = [["light", "desktop"], ["dark", "phone"]];
    if (screenshots) looks.push(["dark", "desktop"], ["light", "phone"]);
    stage.expected.push(/status of 401/);
    const found = [];
    let looked = 0;
    for (const [theme, size] of looks) {
        const page = await stage.page("#/operators", { theme, size, key: undefined });
        await page.getByLabel("Name").waitFor();
        for (const line of await stage.axe(page)) found.push(`sign-in ${theme} ${size}: ${line}`);
        await stage.shot(page, `operators-sign-in-${size}-${theme}`);
        await page.getByLabel("Name").fill(operator.name);
        await page.getByLabel("Password").fill(operator.password);
        await page.getByLabel("Password").press("Enter");
        for (const [name, [hash, sign]] of Object.entries(pages)) {
            await page.evaluate((to) => { location.hash = to; }, hash);
            await page.locator(sign).first().waitFor();
            const over = await stage.overflow(page);
            if (over > 0) found.push(`${name} ${size}: ${over} pixels beyond the side`);
            for (const line of await stage.axe(page)) found.push(`${name} ${theme} ${size}: ${line}`);
            await stage.shot(page, `operators-${name}-${size}-${theme}`);
            looked += 1;
        }
        await page.context().close();
    }
    return { found, looked };
}
