import type { Offer } from "./pay";

/** How the sandbox answers a token that contains this word. */
export const outcomes = [
  { word: "approve", label: "Pay" },
  { word: "decline", label: "Decline" },
  { word: "redirect", label: "3-D Secure" },
  { word: "timeout", label: "Charged, no answer" },
  { word: "uncharged", label: "Failure, not charged" },
];

/** simulatedOffer returns what a wallet would send, for one of these outcomes. It goes to the sandbox like any other. */
export function simulatedOffer(wallet: Offer["wallet"], word: string): Offer {
  const rest = { email: "", shippingAddress: null };
  if (wallet === "apple") {
    const paymentMethod = { displayName: "Visa 1111", network: "Visa", type: "credit" };
    return { wallet, paymentData: { data: `simulated-${word}` }, paymentMethod, ...rest };
  }
  return {
    wallet,
    token: `simulated-${word}`,
    type: "CARD",
    info: { cardNetwork: "VISA", cardDetails: "1111" },
    ...rest,
  };
}
