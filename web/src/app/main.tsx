// Where the console starts.
import { render } from "preact";
import { followEvents } from "../api/events";
import "../ui/ui.css";
import { followAccount } from "./account";
import { App, firstPage } from "./app";
import { followCounts } from "./counts";
import { startRouter } from "./router";

startRouter();
followEvents();
followAccount();
followCounts();

/** The page's files come with this one: then it is the first thing that is drawn. A frame without it is drawn when they are late. */
const patienceMs = 150;
const draw = () => {
  const root = document.getElementById("app");
  if (root) render(<App />, root);
};
void Promise.race([firstPage()?.load(), new Promise((resolve) => setTimeout(resolve, patienceMs))]).then(draw);
