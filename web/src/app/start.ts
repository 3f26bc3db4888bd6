// Runs before the rest has come: asks for the files of the page that the address names, and for what that page reads first, so that
// both come with the rest and not after it. The build puts the names of these files in.
import { askEarly } from "../api/early";
import { keyName } from "../api/key_name";
import { firstReads } from "./first_reads";
import { isOperators, patterns } from "./patterns";

declare const filesOfPages: Record<string, string[]>;

const own = document.currentScript as HTMLScriptElement;
const patienceMs = 30;
const [path = "", query = ""] = location.hash.slice(1).split(/\?(.*)/s);
const key = sessionStorage.getItem(keyName);
let page = "signin/page";
if (isOperators(path)) {
  page = "operators/app";
} else if (key) {
  // Changes are listened for before anything is read, so that none is missed in between; a proxy may hold the stream's answer back.
  const stream = document.hidden ? undefined : askEarly(key, "v1/events", { accept: "text/event-stream" });
  const after = stream && Promise.race([stream, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  for (const [name, pattern] of Object.entries(patterns)) {
    const match = pattern.exec(path || "/");
    if (!match) continue;
    page = name;
    for (const read of firstReads[name]?.({ ...match.groups }, query) ?? []) askEarly(key, read, { after });
    break;
  }
  askEarly(key, "v1/account");
}
for (const name of filesOfPages[page] ?? []) {
  const link = document.createElement("link");
  link.rel = name.endsWith(".css") ? "stylesheet" : "modulepreload";
  link.href = new URL(name, own.src).href;
  document.head.append(link);
}
