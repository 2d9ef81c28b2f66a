import { useState } from "react";
import { AppleDeclined, NoRealWallet, type WalletDemo as Props } from "../../props.gen";
import { showOutcome } from "../payment/outcome";
import { appleCancelled } from "../wallets/messages";
import { SimulatedSheet, useSheet } from "../wallets/simulated-sheet";
import { Told } from "../wallets/told";

const outcomes = [
  { word: "approve", label: "Pay" },
  { word: "decline", label: "Decline" },
];

/** WalletDemo shows what a payer with a wallet sees. Only the request for the demo's outcome leaves the page. */
export default function WalletDemo({ props: demo }: { props: Props }) {
  const sheet = useSheet();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [note, setNote] = useState("");

  function open(wallet: "gpay" | "apple") {
    setProblem("");
    setNote("");
    if (!busy) sheet.open(wallet);
  }
  async function choose(wallet: "gpay" | "apple", word: string) {
    setBusy(true);
    await new Promise((resolve) => setTimeout(resolve, demo.demoDelay));
    if (word === "decline") {
      setProblem(wallet === "apple" ? AppleDeclined : "Declined. Nothing was charged.");
    } else if (await showOutcome(demo.demoUrl)) {
      return;
    }
    setBusy(false);
  }
  return (
    <section className="wallets" aria-label="Simulated wallets">
      <div className="wallet-row">
        <button type="button" className="wallet-button" onClick={() => open("gpay")}>
          Google Pay
        </button>
        <button type="button" className="wallet-button" onClick={() => open("apple")}>
          Apple Pay
        </button>
      </div>
      <p className="simulated">{NoRealWallet}</p>
      <Told busy={busy ? "Processing…" : ""} problem={problem} note={note} />
      <p className="or">
        <span>or pay by card</span>
      </p>
      <SimulatedSheet
        sheet={sheet}
        merchant={demo.merchant}
        amount={demo.payLabel}
        outcomes={outcomes}
        onChoose={choose}
        onCancel={(wallet) => setNote(wallet === "apple" ? appleCancelled : "")}
      />
    </section>
  );
}
