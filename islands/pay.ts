/** The first script of the payment page: htmx follows the payment, and the card form, which the page names, is drawn as soon as it is here. */
import htmx from "htmx.org";
import "./base";
import { defineIsland } from "./define-island";
import { follow } from "./payment/follow";
import { shown } from "./payment/outcome";
import { underway } from "./payment/underway";
import type { CardForm, WalletDemo, Wallets } from "./props.gen";

// Back and forward load the page again: a payment's earlier state must never return.
htmx.config.history = false;

const look = () => {
  follow(document);
  underway(htmx);
};
document.addEventListener("htmx:after:swap", look);
document.addEventListener(shown, (event) => {
  if (event.target instanceof Element) htmx.process(event.target);
  look();
});
// A page restored by the browser would be out of date.
addEventListener("pageshow", (event) => event.persisted && location.reload());
look();

// Wallets wait for the card form, which always works.
const cardForm = new Promise<void>((arrived) => {
  const load = () => import("./card-form").finally(arrived);
  defineIsland<CardForm>("fc-card-form", load, { when: "load" });
});
defineIsland<Wallets>("fc-wallets", () => cardForm.then(() => import("./wallets")), { when: "idle" });
const load = () => import("./wallets").then(({ WalletDemo, mount }) => ({ default: WalletDemo, mount }));
defineIsland<WalletDemo>("fc-wallet-demo", load, { when: "interact" });
// The tap that fetches the demo's wallets also opens them.
document.addEventListener("click", (event) => {
  const button = event.target instanceof Element && event.target.closest("fc-wallet-demo form button");
  if (!button) return;
  event.preventDefault();
  button.setAttribute("data-tapped", "");
});
