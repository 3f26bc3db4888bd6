// The page of an asset tells where viewers find it.
export default async function play(stage, { asset, plainKey, plainAsset }) {
    const page = await stage.page(`#/assets/${asset}`);
    const card = page.getByRole("region", { name: "For viewers" });
    const address = await card.locator(".mono").innerText();
    const words = await card.innerText();
    await stage.shot(page, "asset-viewers");
    const plain = await stage.page(`#/assets/${plainAsset}`, { key: plainKey });
    await plain.getByRole("region", { name: "What it is" }).waitFor();
    await plain.getByText("credits").first().waitFor(); // the account is known
    return { address, words, axe: await stage.axe(page), ofPlain: await plain.getByRole("region", { name: "For viewers" }).count() };
}
