import { useState } from "react";
import { AppleDeclined, type WalletDemo as Props } from "../../props.gen";
import { showOutcome } from "../payment/outcome";
import { appleCancelled } from "../wallets/messages";
import Simulated from "../wallets/simulated";
import { Told } from "../wallets/told";

const outcomes = [
  { word: "approve", label: "Pay" },
  { word: "decline", label: "Decline" },
];

/** WalletDemo shows what a payer with a wallet sees. Only the request for the demo's outcome leaves the page. */
export default function WalletDemo({ props: demo }: { props: Props }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [note, setNote] = useState("");

  async function choose(wallet: "gpay" | "apple", word: string) {
    setProblem("");
    setNote("");
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
    <Simulated
      merchant={demo.merchant}
      amount={demo.amountLabel}
      outcomes={outcomes}
      busy={busy}
      onChoose={choose}
      onCancel={(wallet) => setNote(wallet === "apple" ? appleCancelled : "")}
    >
      <Told busy={busy ? "Processing…" : ""} problem={problem} note={note} />
    </Simulated>
  );
}
