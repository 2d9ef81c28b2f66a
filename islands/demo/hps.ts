/** The first script of the hosted payment page demo. */
import "../base";
import { defineIsland } from "../define-island";
import type { EmbeddedCheckout, HostedPage } from "../props.gen";
import { canHash } from "./keys/keys";

// If the browser cannot hash, the server's form stays.
if (!canHash()) document.documentElement.dataset.hashing = "there";
else defineIsland<HostedPage>("fc-hosted-page", () => import("./hosted-page"), { when: "use" });
defineIsland<EmbeddedCheckout>("fc-embedded-checkout", () => import("./embedded-checkout"), { when: "use" });
