/** The first script of the payment page: it makes the card form interactive, and fetches the script that follows a payment once there is one. */
import { defineIsland } from "../define-island";
import type { WalletDemo, Wallets } from "../props.gen";
import { defineCardForm } from "./card-form";
import { entitle } from "./payment/entitle";
import { follow } from "./payment/follow";
import { lookAgain, shown } from "./payment/outcome";
import { fetchWatch, underway } from "./payment/underway";

/** How often a page whose payment is still open looks whether it was paid in another window or on another device, in milliseconds. */
const pace = 10_000;
const open = "#payment:is([data-state=form], [data-state=failure], [data-state=unavailable])";

defineCardForm();

const look = () => {
  follow(document);
  underway();
};
document.addEventListener("htmx:after:swap", look);
document.addEventListener(shown, (event) => {
  if (event.target instanceof Element) entitle(event.target);
  look();
});
// The script that follows the payment is fetched while the payment is made.
document.addEventListener("submit", () => void fetchWatch().catch(() => undefined));
for (const sign of ["visibilitychange", "focus", "online", "storage"]) addEventListener(sign, () => void lookAgain());
setInterval(() => document.querySelector(open) && void lookAgain(), pace);
// A page restored by the browser would be out of date.
addEventListener("pageshow", (event) => event.persisted && location.reload());
look();

defineIsland<Wallets>("fc-wallets", () => import("./wallets"), { when: "idle" });
const load = () => import("./wallets").then(({ WalletDemo, mount }) => ({ default: WalletDemo, mount }));
defineIsland<WalletDemo>("fc-wallet-demo", load, { when: "interact" });
