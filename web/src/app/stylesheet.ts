// Stylesheets of pages that are loaded later, each once.
const asked = new Map<string, Promise<void>>();

/** Settles when the sheet applies; `address` is what `import … from "./x.css?url"` gives. */
export function stylesheet(address: string): Promise<void> {
  let loading = asked.get(address);
  if (!loading) {
    loading = load(new URL(address, import.meta.url).href).catch((error: unknown) => {
      asked.delete(address);
      throw error;
    });
    asked.set(address, loading);
  }
  return loading;
}

function load(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // start.ts has asked for that of the first page.
    const links = document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]");
    const link = [...links].find(({ href }) => href === address) ?? document.createElement("link");
    if (link.sheet) return resolve();
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error("a stylesheet could not be loaded"));
    });
    if (link.isConnected) return;
    link.rel = "stylesheet";
    link.href = address;
    document.head.append(link);
  });
}
