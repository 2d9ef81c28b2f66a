import { PaidAlready } from "../../props.gen";
import type { Outcome } from "./create";

export type Trouble = Exclude<Outcome["kind"], "created" | "keyUsed">;

/** What people read when their order made no transaction and the server does not say why. Their choice is always kept. */
export const troubleText: Readonly<Record<Exclude<Trouble, "refused">, string>> = {
  nothing: "We could not start your order. Please try again.",
  price: "Prices have changed since you opened the menu. The total above is the new one.",
  unavailable: "Something in your order is no longer available. Remove it to continue.",
  paid: PaidAlready,
  unreachable: "We could not reach the server. Check your connection and try again; you will not order twice.",
  failed: "Something went wrong on our side. Please try again; you will not order twice.",
};
