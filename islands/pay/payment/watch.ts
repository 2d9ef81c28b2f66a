/** The script of a payment that is under way or paid: htmx asks for its next state. */
import htmx from "htmx.org";
import { attend } from "./attend";

// Back and forward load the page again: a payment's earlier state must never return.
htmx.config.history = false;

/** watch follows the payment that the page shows now. */
export function watch(): void {
  const payment = document.querySelector("#payment");
  if (payment) htmx.process(payment);
  attend(htmx);
}
