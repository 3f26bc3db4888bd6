// Plays a scene in the console, in a real browser:  node console.mjs SCENE '{"url", "key", …}'
// The last line on standard output is what the scene found, as JSON. A line {"do": …} before it asks whoever started this to do
// something to the service; it goes on when an answer line comes on standard input.
import { createInterface } from "node:readline";
import { Stage } from "./console/stage.mjs";

const [name, text] = process.argv.slice(2);
const wanted = JSON.parse(text);
const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function askOutside(act, more = {}) {
    console.log(JSON.stringify({ do: act, ...more }));
    return JSON.parse((await answers.next()).value);
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
