/** The first script of the key generator. */
import "../base";
import { defineIsland } from "../define-island";
import type { KeyTool } from "../props.gen";
import { canHash } from "./keys/keys";
import { stayHere } from "./keys/stay-here";

// If the browser cannot hash, the server's forms stay.
if (canHash()) {
  const load = () => import("./key-generator");
  defineIsland<KeyTool>("fc-key-tool", load, { when: "use" });
  stayHere("fc-key-tool", load);
}
