/** The first script of the hosted payment page demo. */
import "../base";
import { defineIsland } from "../define-island";
import type { EmbeddedCheckout, HostedPage } from "../props.gen";
import { canHash } from "./keys/keys";
import { stayHere } from "./keys/stay-here";

// If the browser cannot hash, the server's form stays.
if (canHash()) {
  const load = () => import("./hosted-page");
  defineIsland<HostedPage>("fc-hosted-page", load, { when: "use" });
  stayHere("fc-hosted-page", load);
}
defineIsland<EmbeddedCheckout>("fc-embedded-checkout", () => import("./embedded-checkout"), { when: "use" });
