/** The first script of the key generator. */
import "../base";
import { defineIsland } from "../define-island";
import type { KeyTool } from "../props.gen";
import { canHash } from "./keys/keys";

// If the browser cannot hash, the server's forms stay.
if (!canHash()) document.documentElement.dataset.hashing = "there";
else defineIsland<KeyTool>("fc-key-tool", () => import("./key-generator"), { when: "use" });
