// Runs test/*.test.ts and src/**/*.test.ts, what needs no browser, in Node's test runner: node test.mjs [FILE …]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));

function* testsIn(folder) {
  for (const entry of readdirSync(join(here, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* testsIn(path);
    else if (entry.name.endsWith(".test.ts")) yield path;
  }
}

const named = process.argv.slice(2);
const entryPoints = named.length > 0 ? named : [...testsIn("src"), ...testsIn("test")];
const outdir = mkdtempSync(join(tmpdir(), "tessera-web-"));
try {
  await build({
    absWorkingDir: here,
    entryPoints,
    outdir,
    bundle: true,
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
  });
  const made = readdirSync(outdir, { recursive: true }).map(String);
  const files = made.filter((name) => name.endsWith(".mjs")).map((name) => join(outdir, name));
  process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
