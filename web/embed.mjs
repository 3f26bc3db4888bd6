// Writes the C++ file that holds a built console: node embed.mjs FOLDER OUT.cpp
// The bytes come in by the assembler's .incbin, so that the compiler never sees them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, out] = process.argv.slice(2);
const { files } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
const names = { br: "brotli", gz: "gzip" };
const blobs = [];

/** The expression of a view of a file's bytes. */
function view(path, size) {
  blobs.push(path);
  return `{console_file_${blobs.length - 1}, ${size}}`;
}

const rows = files.map(({ path, type, hash, size, encodings }) => {
  const packed = Object.fromEntries(
    encodings.map(({ extension, size }) => [names[extension], view(`${path}.${extension}`, size)]),
  );
  const fields = { path: JSON.stringify(path), content_type: JSON.stringify(type), hash: JSON.stringify(hash) };
  const bodies = { plain: view(path, size), brotli: packed.brotli ?? "{}", gzip: packed.gzip ?? "{}" };
  return `    {${Object.entries({ ...fields, ...bodies })
    .map(([name, value]) => `.${name} = ${value}`)
    .join(", ")}},`;
});

writeFileSync(
  out,
  `// Written by web/embed.mjs: do not edit.
#include "http/console/console_files.hpp"

__asm__(
    ".pushsection .rodata\\n"
${blobs.map((path, i) => `    "console_file_${i}: .incbin \\"${join(folder, path)}\\"\\n"`).join("\n")}
    ".popsection\\n");

extern "C" {
${blobs.map((_, i) => `extern const char console_file_${i}[];`).join("\n")}
}

namespace tessera::http {

std::span<const ConsoleFile> console_files() {
  static const ConsoleFile files[] = {
${rows.join("\n")}
  };
  return files;
}

}  // namespace tessera::http
`,
);
