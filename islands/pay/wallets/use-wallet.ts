import { useRef, useState } from "react";
import { AppleDeclined, type Wallets } from "../../props.gen";
import { isWeb, showOutcome } from "../payment/outcome";
import { appleCancelled } from "./messages";
import { type Offer, payByWallet, type Verdict } from "./pay";

export interface WalletState {
  /** What is in progress; empty for nothing. */
  readonly busy: string;
  /** What went wrong; empty for nothing. */
  readonly problem: string;
  /** What the payer did on purpose, such as closing the sheet. */
  readonly note: string;
}

const idle: WalletState = { busy: "", problem: "", note: "" };

/** useWallet sends a wallet's payments, one at a time, and follows each until the page shows the outcome. */
export function useWallet(page: Wallets) {
  const [state, setState] = useState(idle);
  const sending = useRef(false);

  async function send(offer: Offer): Promise<Verdict> {
    if (sending.current) return { kind: "open" };
    sending.current = true;
    setState({ ...idle, busy: "Processing…" });
    const verdict = await payByWallet(page, offer);
    if (verdict.kind === "lost") setState({ ...idle, busy: "We lost the connection. Checking your payment…" });
    return verdict;
  }
  /** The page shows the truth. If it still asks for a payment, so do the wallets. */
  async function settle(verdict: Verdict): Promise<void> {
    if (verdict.kind === "redirect" && isWeb(verdict.to)) {
      location.assign(verdict.to);
      return;
    }
    if (await showOutcome(page.pageUrl)) return;
    sending.current = false;
    setState({ ...idle, problem: messageOf(verdict) });
  }
  return {
    state,
    send,
    settle,
    sendAndSettle: async (offer: Offer) => settle(await send(offer)),
    start: () => setState(idle),
    cancelled: () => !sending.current && setState({ ...idle, note: appleCancelled }),
    failed: (error: unknown) => {
      console.warn("wallet", error);
      if (!sending.current) setState({ ...idle, problem: walletFailed });
    },
  };
}

const walletFailed = "The wallet did not work here. Nothing was charged. Please try again or pay by card.";
const stillOpen = "This has not been paid yet. Please try again. You cannot be charged twice for this.";

function messageOf(verdict: Verdict): string {
  if (verdict.kind === "refused") return verdict.message || stillOpen;
  return verdict.kind === "declined" ? AppleDeclined : stillOpen;
}
