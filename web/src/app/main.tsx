// Where the console starts.
import { render } from "preact";
import { followEvents } from "../api/events";
import "../ui/ui.css";
import { followAccount } from "./account";
import { App } from "./app";
import { followCounts } from "./counts";
import { startRouter } from "./router";

startRouter();
followEvents();
followAccount();
followCounts();
const root = document.getElementById("app");
if (root) render(<App />, root);
