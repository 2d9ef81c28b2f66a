import { useId, useRef, useState } from "react";
import type { Offer } from "./pay";

type Wallet = Offer["wallet"];

/** useSheet opens a sheet for one wallet at a time. */
export function useSheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [wallet, setWallet] = useState<Wallet>("gpay");
  return {
    dialog,
    wallet,
    open: (next: Wallet) => {
      setWallet(next);
      dialog.current?.showModal();
    },
    close: () => dialog.current?.close(),
  };
}

interface Props {
  sheet: ReturnType<typeof useSheet>;
  merchant: string;
  amount: string;
  outcomes: readonly { word: string; label: string }[];
  onChoose(wallet: Wallet, word: string): void;
  onCancel(wallet: Wallet): void;
}

/** SimulatedSheet opens in place of a wallet's sheet, and says that it is simulated. */
export function SimulatedSheet({ sheet, merchant, amount, outcomes, onChoose, onCancel }: Props) {
  const title = useId();
  const choose = (word: string) => {
    sheet.close();
    onChoose(sheet.wallet, word);
  };
  return (
    <dialog ref={sheet.dialog} className="sheet" aria-labelledby={title} onCancel={() => onCancel(sheet.wallet)}>
      <div className="stack">
        <header className="line">
          <h2 id={title}>{sheet.wallet === "apple" ? "Apple Pay" : "Google Pay"}</h2>
          <span className="pill">Simulated</span>
        </header>
        <p>No wallet and no device takes part. No money moves.</p>
        <dl className="facts">
          <div className="line">
            <dt>Pay {merchant}</dt>
            <dd className="money">{amount}</dd>
          </div>
          <div className="line">
            <dt>Card</dt>
            <dd>Visa •••• 1111</dd>
          </div>
        </dl>
        {outcomes.map(({ word, label }, i) => (
          <button
            key={word}
            type="button"
            className={i === 0 ? "button primary" : "button quiet"}
            onClick={() => choose(word)}
          >
            {label}
          </button>
        ))}
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            sheet.close();
            onCancel(sheet.wallet);
          }}
        >
          Cancel
        </button>
      </div>
    </dialog>
  );
}
