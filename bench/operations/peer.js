// The same work with sharp: resize or optimize one file again and again, one thread per job as our engines do.
const sharp = require('sharp');
const fs = require('fs');

const [operation, format, input, output, count] = process.argv.slice(2);
sharp.cache(false);
sharp.concurrency(1);

const settings = JSON.parse(process.env.SHARP_SETTINGS || '{"quality":80}');
const once = () => {
  let work = sharp(input);
  work = operation === 'resize' ? work.resize(800) : work.rotate();
  return work[format](settings).toBuffer();
};

(async () => {
  const start = process.hrtime.bigint();
  const before = process.cpuUsage();
  let bytes;
  for (let i = 0; i < Number(count); ++i) bytes = await once();
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
