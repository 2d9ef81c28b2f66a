import type { Trouble } from "./use-ordering";

/** What people read when their order made no transaction. Their choice is always kept. */
export const troubleText: Readonly<Record<Trouble, string>> = {
  nothing: "We could not start your order. Please try again.",
  price: "Prices have changed since you opened the menu. The total above is the new one.",
  unavailable: "Something in your order is no longer available. Remove it to go on.",
  paid: "Somebody has paid this order already. To order the same for yourself, go on.",
  card: "That looks like a card number. Leave it out: card details belong on the payment page only.",
  busy: "There are a lot of orders right now. Please try again in a moment.",
  paused: "The kitchen is not taking orders right now. Please try again in a few minutes.",
  unreachable: "We could not reach the server. Check your connection and try again; you will not order twice.",
  failed: "Something went wrong on our side. Please try again; you will not order twice.",
};
