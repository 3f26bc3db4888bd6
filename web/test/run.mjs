// Bundles the tests of what is pure and runs them with Node's own runner: node test/run.mjs [NAME …]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const wanted = process.argv.slice(2);
const tests = readdirSync(here).filter(
  (name) => name.endsWith(".test.ts") && (wanted.length === 0 || wanted.some((part) => name.includes(part))),
);
const folder = mkdtempSync(join(tmpdir(), "tessera-web-"));
try {
  await build({
    entryPoints: tests.map((name) => join(here, name)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node18",
    logLevel: "error",
  });
  const files = tests.map((name) => join(folder, `${basename(name, ".ts")}.mjs`));
  process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
