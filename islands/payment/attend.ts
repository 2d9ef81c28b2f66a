import { offer } from "../push/tell";
import { listen } from "./live";

/** How long a toast shows (PAY-40), in milliseconds. */
const toastTime = 5000;

let before: string | undefined;

/** attend serves a payment in progress and a paid order each time the page shows something new. */
export function attend(): void {
  listen();
  const state = document.querySelector<HTMLElement>("#payment")?.dataset.state;
  if (state === "completed" && (before === "success" || before === "status")) toast("Your order is ready. Enjoy!");
  before = state;
  void offer();
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
