// The same request for a shell and for programs.
import { addressOf } from "../../api/address";
import type { Options } from "./values";

export interface JobToCopy {
  asset_id?: string | undefined;
  operation: string;
  options: Options;
}

const json = (value: unknown, indent?: number) => JSON.stringify(value, undefined, indent);
const base = () => addressOf("").replace(/\/$/, "");

export function asCurl(job: JobToCopy): string {
  const body = json(job).replace(/'/g, "'\\''");
  return `curl -s ${base()}/v1/jobs -H "X-API-Key: $KEY" --json '${body}'`;
}

export function asTypeScript({ asset_id, operation, options }: JobToCopy): string {
  const more = asset_id ? `, { assetId: ${json(asset_id)} }` : "";
  return [
    'import { Tessera } from "tessera-client";',
    "",
    `const tessera = new Tessera({ url: ${json(base())}, key: process.env.TESSERA_KEY });`,
    `const job = await tessera.submit(${json(operation)}, ${json(options, 2)}${more});`,
    "const { file } = await tessera.result(await tessera.wait(job.id));",
    "console.log(await file.url());",
  ].join("\n");
}

export function asPython({ asset_id, operation, options }: JobToCopy): string {
  const more = asset_id ? `, asset_id=${json(asset_id)}` : "";
  return [
    "import os",
    "from tessera_client import Tessera",
    "",
    `tessera = Tessera(${json(base())}, os.environ["TESSERA_KEY"])`,
    `job = tessera.submit(${json(operation)}, ${python(options)}${more})`,
    'print(tessera.result(tessera.wait(job["id"])).file.url())',
  ].join("\n");
}

/** JSON, but for three words. Strings are left as they are: they are read the same in both. */
function python(value: unknown): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null || value === undefined) return "None";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value)
      .map(([name, inner]) => `${json(name)}: ${python(inner)}`)
      .join(", ")}}`;
  }
  return json(value);
}
