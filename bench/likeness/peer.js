// sharp, as the peer and as the decoder of both sides' files. Reads one line of JSON a task from standard input and
// answers each with a line:
//   {"from", "to", "format", "settings"}     encodes; the answer has the bytes
//   {"from", "to"}                           decodes to a PNG
const sharp = require('sharp');
const readline = require('readline');

sharp.cache(false);
sharp.concurrency(1);

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const task = JSON.parse(line);
    const work = task.format
      ? sharp(task.from).rotate()[task.format](task.settings)
      : sharp(task.from).removeAlpha().toColourspace('srgb').png({ compressionLevel: 1 });
    const made = await work.toFile(task.to);
    console.log(JSON.stringify({ bytes: made.size }));
  }
})();
