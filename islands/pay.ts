/** The first script of the payment page: htmx follows the payment, and the card form is fetched when there is time. */
import htmx from "htmx.org";
import { defineIsland } from "./define-island";
import { follow } from "./payment/follow";
import { shown } from "./payment/outcome";
import type { CardForm } from "./props.gen";

// Back and forward load the page anew: a payment's earlier state must never come back.
htmx.config.history = false;

document.addEventListener("htmx:after:swap", () => follow(document));
document.addEventListener(shown, (event) => {
  if (event.target instanceof Element) htmx.process(event.target);
  follow(document);
});
// A page that the browser kept would still be as it was left.
addEventListener("pageshow", (event) => event.persisted && location.reload());
follow(document);

defineIsland<CardForm>("fc-card-form", () => import("./card-form"), { when: "idle" });
