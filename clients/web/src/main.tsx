import { render } from "preact";
import { start } from "./state/app";
import { startRouter } from "./state/router";
import "./style/base.css";
import "./style/cards.css";
import "./style/page.css";
import "./style/lobby.css";
import "./style/table.css";
import "./style/board.css";
import "./style/ring.css";
import "./style/hand.css";
import "./style/actions.css";
import "./style/narrow.css";
import "./style/results.css";
import { App } from "./ui/App";

startRouter();
start();
render(<App />, document.getElementById("app")!);
