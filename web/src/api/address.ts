// Addresses are relative to the page, so that the console works under any path behind a proxy.

const base = new URL(".", document.baseURI).href;

/** The address of a path of the service, such as "v1/jobs". */
export const addressOf = (path: string): string => base + path;

/**
 * A signed address, by way of this page's own origin. The service names itself as its clients call it, or another host for
 * tiles; the same path under this page's address is the same resource, and the page may load nothing from elsewhere.
 * Placeholders of a template ({z}, …) stay as they are.
 */
export function sameOrigin(signed: string): string {
  const path = signed.replace(/^[a-z]+:\/\/[^/]+/i, "");
  const start = path.search(/\/(v1|cdn)\//);
  return addressOf(path.slice(start + 1));
}
