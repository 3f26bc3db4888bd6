// The same work with sharp: resize or optimize one file again and again, and say what that took as a line of JSON.
//   peer.js OPERATION FORMAT IN OUT COUNT [AT_ONCE [WIDTH]]
// One job at a time on one thread, as our engines do it; or several at once with sharp's own choice of threads, after a
// first one that does not count.
const sharp = require('sharp');
const fs = require('fs');

const [operation, format, input, output, count, at_once, width] = process.argv.slice(2);
sharp.cache(false);
if (!at_once) sharp.concurrency(1);

const settings = JSON.parse(process.env.SHARP_SETTINGS || '{"quality":80}');
const once = () => {
  let work = sharp(input);
  work = operation === 'resize' ? work.resize(Number(width || 800)) : work.rotate();
  return work[format](settings).toBuffer();
};

const all = async () => {
  let left = Number(count);
  let bytes;
  const client = async () => {
    while (left-- > 0) bytes = await once();
  };
  await Promise.all(Array.from({ length: Number(at_once || 1) }, client));
  return bytes;
};

(async () => {
  if (at_once) await once();
  const start = process.hrtime.bigint();
  const before = process.cpuUsage();
  const bytes = await all();
  const used = process.cpuUsage(before);
  const wall = Number(process.hrtime.bigint() - start) / 1e9;
  fs.writeFileSync(output, bytes);
  console.log(JSON.stringify({
    wall: wall / count,
    cpu: (used.user + used.system) / 1e6 / count,
    peak_kilobytes: process.resourceUsage().maxRSS,
    bytes: bytes.length,
  }));
})();
