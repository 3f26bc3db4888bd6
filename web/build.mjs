// Builds the console: bundles, names files by what they hold, compresses them, writes a manifest, and fails over budget.
//   node build.mjs [--out FOLDER]
// FOLDER then holds index.html, console/assets/*, each with a .br and a .gz beside it where that is smaller, and manifest.json.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const { values } = parseArgs({ options: { out: { type: "string", default: join(here, "dist") } } });
const out = resolve(values.out);
const assets = "console/assets";

// Bytes, gzipped. The first page is what is loaded before a person who opens the address can act: the page itself, the
// entry with all that it imports, its stylesheet, and the largest of the pages that may be shown first.
const budget = { firstPage: 40_000, page: 24_000, viewer: 110_000 };
const firstPages = ["src/features/signin/page.tsx", "src/features/upload/page.tsx"];
/** What a page itself loads later, but always. */
const soonAfter = { "src/features/tileset/page.tsx": ["src/features/tileset/viewer.ts"] };
const viewers = ["src/features/compare/", "src/features/tileset/"];

/** Modules may be a link to another folder's: they are called by the link. */
const common = { absWorkingDir: here, preserveSymlinks: true, bundle: true, minify: true, target: "es2022" };

const types = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  jpg: "image/jpeg",
};

/**
 * Where a file is, seen from here. esbuild names chunks by what they hold and by the addresses that it was given of their
 * parts: with whole paths, two checkouts would make different files.
 */
const fromHere = (path) => relative(here, path);

/** `import address from "./x.css?url"`: a file of its own, for what is loaded later. */
const asAddress = {
  name: "address",
  setup(builder) {
    builder.onResolve({ filter: /\?url$/ }, ({ path, resolveDir }) => ({
      path: fromHere(resolve(resolveDir, path.slice(0, -"?url".length))),
      namespace: "address",
    }));
    builder.onLoad({ filter: /.*/, namespace: "address" }, async ({ path }) => {
      if (!path.endsWith(".css")) return { contents: readFileSync(join(here, path)), loader: "file" };
      const made = await build({ ...common, entryPoints: [path], write: false });
      return { contents: made.outputFiles[0].contents, loader: "file" };
    });
  },
};

const options = {
  ...common,
  entryPoints: { console: "src/app/main.tsx" },
  outdir: join(out, assets),
  splitting: true,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  define: { "process.env.NODE_ENV": '"production"' },
  legalComments: "none",
  metafile: true,
  write: false,
  plugins: [asAddress],
};

/** Outputs of a build, by the names of their files. */
const outputsOf = ({ metafile }) =>
  new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), { name: basename(path), ...output }]),
  );

/** A file and all that it imports at once; what it imports later is not counted. */
function withImports(byName, name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const { path, kind } of byName.get(name).imports) {
    if (kind === "import-statement" || kind === "file-loader") withImports(byName, basename(path), seen);
  }
  return seen;
}

const main = "src/app/main.tsx";
const isMain = ({ entryPoint, name }) => entryPoint === main && name.endsWith(".js");

/** Pages that share parts: each group's are loaded together. What may come first needs few of them. */
const groups = [
  /^src\/features\/(?!operators\/|signin\/|upload\/).*\/(page|list)\.tsx$/,
  /^src\/features\/operators\/.*\.tsx$/,
];

/**
 * esbuild cuts what is shared into a chunk for every set of pages that shares something: dozens of requests. Each page is told to
 * need all that the first page needs, which is there already, and all that two of its group share. So each of these is one chunk.
 */
async function asFewChunks() {
  const byName = outputsOf(await build(options));
  const outputs = [...byName.values()];
  const strays = outputs.filter((output) => output.cssBundle && !isMain(output)).map(({ entryPoint }) => entryPoint);
  if (strays.length > 0) {
    throw new Error(
      `a page that is loaded later imports its sheet with ?url and exports it as styles: ${strays.join(", ")}`,
    );
  }
  const sourcesOf = ({ name }) =>
    [...withImports(byName, name)]
      .flatMap((part) => Object.keys(byName.get(part).inputs))
      .filter((input) => /^src\/.*\.tsx?$/.test(input) && input !== main);
  const pages = outputs.filter(({ entryPoint, name }) => entryPoint && entryPoint !== main && name.endsWith(".js"));
  const isPage = new Set(pages.map(({ entryPoint }) => entryPoint));
  /** Sources that more than one of these sets have. */
  const shared = (sets) => {
    const users = new Map();
    for (const source of sets.flatMap((set) => [...new Set(set)])) users.set(source, (users.get(source) ?? 0) + 1);
    return [...users].filter(([source, count]) => count > 1 && !isPage.has(source)).map(([source]) => source);
  };
  const membersOf = groups.map((group) => pages.filter(({ entryPoint }) => group.test(entryPoint)));
  const alone = pages.filter((output) => !membersOf.some((members) => members.includes(output)));
  // Little, but of almost every page: it comes with the first one.
  const ofTwoGroups = shared([...membersOf, ...alone.map((output) => [output])].map((set) => set.flatMap(sourcesOf)));
  const ofAll = [...new Set([...sourcesOf(outputs.find(isMain)), ...ofTwoGroups])];
  const needs = new Map(pages.map(({ entryPoint }) => [entryPoint, [...ofAll]]));
  needs.set(main, ofTwoGroups);
  for (const members of membersOf) {
    const ofGroup = shared(members.map(sourcesOf));
    for (const { entryPoint } of members) needs.get(entryPoint).push(...ofGroup);
  }
  return {
    name: "few-chunks",
    setup(builder) {
      builder.onLoad({ filter: /\/src\/.*\.tsx?$/ }, ({ path }) => {
        const needed = needs.get(fromHere(path));
        if (!needed) return undefined;
        const imports = needed.map(
          (input) => `import ${JSON.stringify(`./${relative(dirname(path), join(here, input))}`)};`,
        );
        return {
          contents: `${readFileSync(path, "utf8")}\n${imports.join("")}`,
          loader: path.endsWith("x") ? "tsx" : "ts",
        };
      });
    },
  };
}

const made = await build({ ...options, plugins: [await asFewChunks(), asAddress] });

const byName = outputsOf(made);
const outputs = [...byName.values()];
const bytesOf = new Map(made.outputFiles.map((file) => [basename(file.path), Buffer.from(file.contents)]));
const gzipped = (bytes) => gzipSync(bytes, { level: 9 });
const sizeOf = (names) => [...names].reduce((sum, name) => sum + gzipped(bytesOf.get(name)).length, 0);

const entry = outputs.find(isMain);
const sheet = basename(entry.cssBundle);
const drawing = readFileSync(join(here, "src/icon.svg"));
const icon = `icon-${createHash("sha256").update(drawing).digest("hex").slice(0, 8)}.svg`;
bytesOf.set(icon, drawing);
const first = withImports(byName, entry.name);
first.add(sheet);

/** What a lazily loaded page adds to what is there already. */
function added(source) {
  const output = outputs.find(({ entryPoint }) => entryPoint === source);
  return output ? [...withImports(byName, output.name)].filter((name) => !first.has(name)) : [];
}

// Runs before the entry, and waits for neither its imports nor a sheet: it knows the files of each page and asks for those of the
// one that the address names.
const filesOfPages = Object.fromEntries(
  outputs
    .filter(({ entryPoint }) => /^src\/features\/[a-z]+\/(page|list|app)\.tsx$/.test(entryPoint ?? ""))
    .map(({ entryPoint }) => [
      entryPoint.replace(/^src\/features\/|\.tsx$/g, ""),
      [entryPoint, ...(soonAfter[entryPoint] ?? [])]
        .flatMap(added)
        .filter((name, at, all) => /\.(js|css)$/.test(name) && all.indexOf(name) === at),
    ]),
);
const started = await build({
  ...options,
  entryPoints: { start: "src/app/start.ts" },
  splitting: false,
  format: "iife",
  define: { filesOfPages: JSON.stringify(filesOfPages) },
});
const start = basename(started.outputFiles[0].path);
bytesOf.set(start, Buffer.from(started.outputFiles[0].contents));
first.add(start);

const page = readFileSync(join(here, "index.html"), "utf8")
  .replace("{{icon}}", `${assets}/${icon}`)
  .replace("{{start}}", `${assets}/${start}`)
  .replace("{{styles}}", `<link rel="stylesheet" href="${assets}/${sheet}">`)
  .replace(
    "{{scripts}}",
    [...first]
      .filter((name) => name.endsWith(".js") && name !== entry.name && name !== start)
      .map((name) => `<link rel="modulepreload" href="${assets}/${name}">`)
      .concat(`<script type="module" src="${assets}/${entry.name}"></script>`)
      .join("\n    "),
  );
bytesOf.set("index.html", Buffer.from(page));
first.add("index.html");

const lazy = outputs.filter(
  ({ entryPoint, name }) => entryPoint && name.endsWith(".js") && entryPoint !== entry.entryPoint,
);
const firstSize = sizeOf(first) + Math.max(...firstPages.map((source) => sizeOf(added(source))));
const report = [["first page", firstSize, budget.firstPage]];
for (const { entryPoint } of lazy) {
  const isViewer = viewers.some((folder) => entryPoint.startsWith(folder)) || entryPoint.includes("openseadragon");
  report.push([
    entryPoint.replace(/^src\/features\//, ""),
    sizeOf(added(entryPoint)),
    isViewer ? budget.viewer : budget.page,
  ]);
}

// Sheets of the shared parts are made for every page again, and are in the first page's already.
const needed = new Set([...first, icon, ...lazy.flatMap(({ name }) => [...withImports(byName, name)])]);

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, assets), { recursive: true });
const files = [];
for (const [name, bytes] of bytesOf) {
  if (!needed.has(name)) continue;
  const path = name === "index.html" ? name : `${assets}/${name}`;
  const file = {
    path,
    type: types[name.split(".").pop()] ?? "application/octet-stream",
    hash: createHash("sha256").update(bytes).digest("hex").slice(0, 16),
    size: bytes.length,
    encodings: [],
  };
  writeFileSync(join(out, path), bytes);
  const compressed = {
    br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    gz: gzipped(bytes),
  };
  for (const [extension, packed] of Object.entries(compressed)) {
    if (packed.length >= bytes.length) continue;
    writeFileSync(join(out, `${path}.${extension}`), packed);
    file.encodings.push({ extension, size: packed.length });
  }
  files.push(file);
}
writeFileSync(join(out, "manifest.json"), `${JSON.stringify({ files }, undefined, 2)}\n`);

const over = report.filter(([, size, most]) => size > most);
for (const [what, size, most] of report) {
  console.log(`${what.padEnd(28)} ${(size / 1000).toFixed(1).padStart(6)} kB gzipped, of ${most / 1000} kB`);
}
if (over.length > 0) {
  console.error(`over budget: ${over.map(([what]) => what).join(", ")}`);
  process.exit(1);
}
