import type htmx from "htmx.org";
import { sound } from "../../pos/kitchen/sound";
import { offer } from "../../ui/push/tell";
import { entitle } from "./entitle";
import { listen } from "./live";

/** How long a toast shows (PAY-40), in milliseconds. */
const toastTime = 5000;

/** Quieter than the kitchen's sound. */
const gently = 0.1;

let before: string | undefined;
let ready = 0;
let bell: HTMLButtonElement | undefined;
let ring = () => {};

/** attend handles a payment in progress or a paid order each time the page shows something new. */
export function attend(page: typeof htmx): void {
  listen(page);
  const payment = document.querySelector<HTMLElement>("#payment");
  const state = payment?.dataset.state;
  entitle(payment);
  offerSound(payment?.querySelector<HTMLButtonElement>("#bell"));
  const done = state === "completed" && (before === "success" || before === "status");
  const places = payment?.querySelectorAll(".ready").length ?? 0;
  if (done || places > ready) {
    ring();
    // Without a tap before, browsers refuse and complain.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
  }
  if (done) toast(orderReady(payment?.querySelector(".whose > span")?.textContent));
  // The button that had the focus may be gone.
  if (done && document.activeElement === document.body) payment?.querySelector("h1")?.focus({ preventScroll: true });
  before = state;
  ready = places;
  void offer();
}

/** offerSound makes a button switch on the sound of a ready order, which needs a tap but no permission. */
function offerSound(button: HTMLButtonElement | null | undefined): void {
  if (!button || button === bell) return;
  bell = button;
  ring = sound(button, gently);
}

/** orderReady names the order by its table or name, if it has one. */
function orderReady(whose: string | null | undefined): string {
  return whose ? `Order for ${whose} is ready` : "Your order is ready";
}

/** toast shows a message over the page for a while (PAY-39). */
function toast(text: string): void {
  const said = document.createElement("p");
  said.className = "toast";
  said.setAttribute("role", "status");
  said.textContent = text;
  document.body.append(said);
  setTimeout(() => said.remove(), toastTime);
}
