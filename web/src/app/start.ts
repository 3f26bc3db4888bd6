// Runs before the rest has come: asks for the files of the page that the address names, so that they come with the rest and not
// after it. The build puts the names of these files in.
import { keyName } from "../api/key_name";
import { isOperators, patterns } from "./patterns";

declare const filesOfPages: Record<string, string[]>;

const path = location.hash.slice(1).replace(/\?.*/s, "") || "/";
const named = Object.entries(patterns).find(([, pattern]) => pattern.test(path))?.[0] ?? "";
const page = isOperators(path) ? "operators/app" : sessionStorage.getItem(keyName) ? named : "signin/page";
for (const name of filesOfPages[page] ?? []) {
  const link = document.createElement("link");
  link.href = new URL(name, import.meta.url).href;
  if (name.endsWith(".css")) {
    link.rel = "preload";
    link.as = "style";
  } else {
    link.rel = "modulepreload";
  }
  document.head.append(link);
}
