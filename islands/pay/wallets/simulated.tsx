import type { Offer } from "./pay";
import { SimulatedSheet, useSheet } from "./simulated-sheet";

interface Props {
  merchant: string;
  amount: string;
  onOffer(offer: Offer): void;
  onCancel(wallet: Offer["wallet"]): void;
}

/** How the sandbox answers a token that contains this word. */
const outcomes = [
  { word: "approve", label: "Pay" },
  { word: "decline", label: "Decline" },
  { word: "redirect", label: "3-D Secure" },
  { word: "timeout", label: "Charged, no answer" },
  { word: "uncharged", label: "Failure, not charged" },
];

/** Simulated offers both wallets in test mode without a device; their payments go to the sandbox like any other. */
export default function Simulated({ merchant, amount, onOffer, onCancel }: Props) {
  const sheet = useSheet();
  return (
    <section className="simulated-wallets" aria-label="Simulated wallets">
      <p>Simulated wallets, which pay at the sandbox:</p>
      <div className="wallet-row">
        <button type="button" className="button secondary" onClick={() => sheet.open("gpay")}>
          Simulated Google Pay
        </button>
        <button type="button" className="button secondary" onClick={() => sheet.open("apple")}>
          Simulated Apple Pay
        </button>
      </div>
      <SimulatedSheet
        sheet={sheet}
        merchant={merchant}
        amount={amount}
        outcomes={outcomes}
        onChoose={(wallet, word) => onOffer(simulatedOffer(wallet, word))}
        onCancel={onCancel}
      />
    </section>
  );
}

function simulatedOffer(wallet: Offer["wallet"], word: string): Offer {
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
