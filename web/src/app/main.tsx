// Where the console starts.
import { render } from "preact";
import { dropEarly } from "../api/early";
import { followEvents } from "../api/events";
import "../ui/ui.css";
import { followAccount } from "./account";
import { App, firstPage } from "./app";
import { followCounts } from "./counts";
import { startRouter } from "./router";

startRouter();
followAccount();

/** The page's files come with this one: then it is the first thing that is drawn. A frame without it is drawn when they are late. */
const patienceMs = 150;
const draw = () => {
  const root = document.getElementById("app");
  if (root) render(<App />, root);
};

async function start() {
  const loaded = firstPage()?.load();
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  draw();
  // What start.ts asked for may be older than what the stream of events tells: it is read when the page is there to hear it.
  await loaded;
  setTimeout(followEvents);
  followCounts();
  setTimeout(dropEarly, 10_000);
}

void start();
