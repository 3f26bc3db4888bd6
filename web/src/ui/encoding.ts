// How a picture is encoded, in words. Pure.

export interface Encoding {
  format: string;
  /** "quality 80", "lossless"; empty where nobody knows. */
  quality: string;
}

export function encodingOf(contentType: string, metadata: Record<string, unknown>): Encoding {
  const format = String(metadata.format ?? contentType.replace(/^image\//, ""));
  if (metadata.kept_source === true) return { format, quality: "the source's own bytes" };
  if (metadata.lossless === true) return { format, quality: "lossless" };
  return { format, quality: typeof metadata.quality === "number" ? `quality ${metadata.quality}` : "" };
}
