// What a person takes from a comparison: the job as a command, the result as a file. Pure.

/** A shell's line that does the job again. */
export function asCurl(
  base: string,
  job: { asset_id?: string; operation: string; options: Record<string, unknown> },
): string {
  const body = JSON.stringify({ asset_id: job.asset_id, operation: job.operation, options: job.options }).replaceAll(
    "'",
    "'\\''",
  );
  return `curl ${base}v1/jobs -H "X-API-Key: $KEY" -H "Content-Type: application/json" -d '${body}'`;
}

/** What to call the file: the source's name with the result's ending. */
export function fileName(source: string, operation: string, format: string): string {
  const endings: Record<string, string> = { jpeg: "jpg" };
  return `${source.replace(/\.[^.]+$/, "")}-${operation}.${endings[format] ?? format}`;
}
