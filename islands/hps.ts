/** The first script of the hosted payment page demo. */
import { defineIsland } from "./define-island";
import { canHash } from "./keys/keys";
import { stayHere } from "./keys/stay-here";
import type { EmbeddedCheckout, HostedPage } from "./props.gen";

// Where the browser cannot hash, the server's form stays.
if (canHash()) {
  const load = () => import("./hosted-page");
  defineIsland<HostedPage>("fc-hosted-page", load, { when: "load" });
  stayHere("fc-hosted-page", () => Promise.all([load(), import("./react-root")]));
}
defineIsland<EmbeddedCheckout>("fc-embedded-checkout", () => import("./embedded-checkout"), { when: "idle" });
