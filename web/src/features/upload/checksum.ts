// SHA-256 of a file, as the service writes it; undefined where the browser has none to give (an address that is not secure)
// or the file is too large to be held in memory for it.
const largest = 256 * 1024 * 1024;

export async function checksumOf(file: Blob): Promise<string | undefined> {
  if (!crypto.subtle || file.size > largest) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
