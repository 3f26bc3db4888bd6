// A tileset under fingers: the viewer is dragged and pinched, a patch is drawn, moved and resized.
const settle = (page) => page.waitForSelector('.stage[data-loaded="true"]');
const scale = async (page) => Number.parseFloat((await page.locator(".stage-readout").innerText()).split("·").pop());

class Fingers {
    static async on(page) {
        return Object.assign(new Fingers(), { session: await page.context().newCDPSession(page) });
    }
    send(type, touchPoints) {
        return this.session.send("Input.dispatchTouchEvent", { type, touchPoints });
    }
    /** Each finger goes from its first place to its second. */
    async move(...ways) {
        const at = (share) => ways.map(([[x, y], [toX, toY]], id) => ({ id, x: x + (toX - x) * share, y: y + (toY - y) * share }));
        await this.send("touchStart", at(0));
        for (let step = 1; step <= 8; step += 1) await this.send("touchMove", at(step / 8));
        await this.send("touchEnd", []);
    }
}

const numbers = async (page) => {
    const fields = {};
    for (const name of ["x", "y", "width", "height"]) fields[name] = Number(await page.getByRole("spinbutton", { name, exact: true }).inputValue());
    return fields;
};

export default async function play(stage, { tileset }) {
    const page = await stage.page(`#/tilesets/${tileset}`, { size: "phone" });
    await settle(page);
    const fingers = await Fingers.on(page);
    const { x, y, width, height } = await page.locator(".stage").boundingBox();
    const [midX, midY] = [x + width / 2, y + height / 2];
    const seen = { before: await scale(page) };

    // Apart: closer. Then the picture follows a finger.
    await fingers.move([[midX - 20, midY], [midX - 120, midY]], [[midX + 20, midY], [midX + 120, midY]]);
    await page.waitForFunction((was) => Number.parseFloat(document.querySelector(".stage-readout").textContent.split("·").pop()) > was * 1.5, seen.before);
    await settle(page);
    seen.pinched = await scale(page);
    const place = () => page.evaluate(() => location.hash);
    const placeBefore = await place();
    const scrolled = await page.evaluate(() => scrollY);
    await fingers.move([[midX + 60, midY], [midX - 60, midY]]);
    await page.waitForFunction((was) => location.hash !== was, placeBefore);
    seen.pageMoved = (await page.evaluate(() => scrollY)) - scrolled;
    await settle(page);
    seen.afterDrag = await scale(page);

    // A patch by one finger; by its body it moves, by its corner it grows.
    await page.getByRole("button", { name: "Draw a patch" }).tap();
    await page.locator(".stage").scrollIntoViewIfNeeded();
    const at = await page.locator(".stage").boundingBox();
    const [cx, cy] = [at.x + at.width / 2, at.y + at.height / 2];
    await fingers.move([[cx - 60, cy - 40], [cx + 60, cy + 40]]);
    seen.drawn = await numbers(page);
    const body = await page.getByRole("button", { name: /^Patch 1, / }).boundingBox();
    const held = [body.x + body.width / 2, body.y + body.height / 2];
    await fingers.move([held, [held[0] - 40, held[1] + 20]]);
    seen.moved = await numbers(page);
    const corner = await page.getByRole("button", { name: /bottom right corner/ }).boundingBox();
    const grip = [corner.x + corner.width / 2, corner.y + corner.height / 2];
    await fingers.move([grip, [grip[0] + 30, grip[1] + 30]]);
    seen.resized = await numbers(page);
    await stage.shot(page, "patch-phone");
    return seen;
}
