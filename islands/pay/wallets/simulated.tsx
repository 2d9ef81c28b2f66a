import type { ReactNode } from "react";
import { NoRealWallet } from "../../props.gen";
import type { Offer } from "./pay";
import { SimulatedSheet, useSheet } from "./simulated-sheet";

interface Props {
  merchant: string;
  amount: string;
  outcomes: readonly { word: string; label: string }[];
  /** While a payment is in progress, no other begins. */
  busy: boolean;
  onChoose(wallet: Offer["wallet"], word: string): void;
  onCancel(wallet: Offer["wallet"]): void;
  /** What is said about the payment. */
  children: ReactNode;
}

/** Simulated shows both wallets without a device, as the server's fallback does; each opens a sheet that asks for the outcome. */
export default function Simulated({ merchant, amount, outcomes, busy, onChoose, onCancel, children }: Props) {
  const sheet = useSheet();
  return (
    <section className="wallets" aria-label="Simulated wallets">
      <div className="wallet-row" inert={busy}>
        <button type="button" className="wallet-button" onClick={() => sheet.open("gpay")}>
          Google Pay
        </button>
        <button type="button" className="wallet-button" onClick={() => sheet.open("apple")}>
          Apple Pay
        </button>
      </div>
      {children}
      <p className="or">{NoRealWallet} · or pay by card</p>
      <SimulatedSheet
        sheet={sheet}
        merchant={merchant}
        amount={amount}
        outcomes={outcomes}
        onChoose={onChoose}
        onCancel={onCancel}
      />
    </section>
  );
}
