// Plays a scene in the console, in a real browser:  node console.mjs SCENE
// The first line on standard input says what it needs: {"url", "key", …}. The last line on standard output is what it found, as
// JSON. A line {"do": …} before it asks whoever started this to do something to the service; it goes on when another line comes.
import { createInterface } from "node:readline";
import { Stage } from "./console/stage.mjs";

const name = process.argv[2];
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const nextLine = async () => JSON.parse((await lines.next()).value);
const wanted = await nextLine();

async function askOutside(act, more = {}) {
    console.log(JSON.stringify({ do: act, ...more }));
    return nextLine();
}

const { default: play } = await import(`./console/${name}.mjs`);
const stage = await Stage.open(wanted, askOutside);
let found;
try {
    found = await play(stage, wanted);
} catch (error) {
    await stage.keepLastSight(name);
    throw error;
} finally {
    await stage.close();
}
console.log(JSON.stringify({ ...found, complaints: stage.complaints }));
process.exit(0);
