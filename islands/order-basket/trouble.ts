import type { Trouble } from "./use-ordering";

/** What people read when their order made no transaction and the server says nothing. Their choice is always kept. */
export const troubleText: Readonly<Record<Exclude<Trouble, "refused">, string>> = {
  nothing: "We could not start your order. Please try again.",
  price: "Prices have changed. The total is new.",
  unavailable: "It is no longer available.",
  paid: "Somebody has paid this order already. To order the same, go on.",
  unreachable: "We could not reach the server. Please try again; you will not order twice.",
  failed: "Something went wrong on our side. Please try again; you will not order twice.",
};
