import { render } from "preact";
import "./style/main.css";
import { listRuns } from "./state/past-runs.js";
import { App } from "./views/app.js";

const root = document.getElementById("page");
if (root) render(<App />, root);
void listRuns().catch(() => {});
