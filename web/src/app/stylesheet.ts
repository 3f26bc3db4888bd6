// Stylesheets of pages that are loaded later, each once.
const asked = new Map<string, Promise<void>>();

/** Settles when the sheet applies; `address` is what `import … from "./x.css?url"` gives. */
export function stylesheet(address: string): Promise<void> {
  let loading = asked.get(address);
  if (!loading) {
    loading = new Promise((resolve, reject) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = new URL(address, import.meta.url).href;
      link.onload = () => resolve();
      link.onerror = () => {
        asked.delete(address);
        link.remove();
        reject(new Error("a stylesheet could not be loaded"));
      };
      document.head.append(link);
    });
    asked.set(address, loading);
  }
  return loading;
}
