/** The first script of the terminal demo. */
import "../base";
import { defineIsland } from "../define-island";
import type { Bridge } from "../props.gen";

defineIsland<Bridge>("fc-bridge", () => import("./bridge/demo"), { when: "use" });
