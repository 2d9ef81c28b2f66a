import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import type { Wallets as Props } from "../../props.gen";
import { appleVersion, beginSession } from "./apple-session";
import { googleReady } from "./google";
import GoogleButton from "./google-button";
import { outcomes, simulatedOffer } from "./sandbox";
import Simulated from "./simulated";
import { Told } from "./told";
import { useCardForm } from "./use-card-form";
import { useWallet } from "./use-wallet";

export { mount } from "../../react-root";
export { default as WalletDemo } from "../wallet-demo";

/**
 * Wallets shows a button for each wallet of this device, above the card form, or below it once a person has begun to type a card, because
 * nothing may move under their fingers. Simulated wallets, which the page shows from the beginning, keep their place above it.
 */
export default function Wallets({ props: page }: { props: Props }) {
  const wallet = useWallet(page);
  const [apple, setApple] = useState(0);
  const [google, setGoogle] = useState(false);
  const begun = useCardForm();
  const [place, setPlace] = useState<Place | undefined>();

  useEffect(() => {
    let gone = false;
    let chosen: Place | undefined;
    const show = () => {
      chosen ??= page.simulated || begun() ? "below" : "above";
      setPlace(chosen);
    };
    // Before the button shows: a tap has to begin the session at once.
    if ("ApplePaySession" in window) {
      const version = appleVersion();
      if (version) {
        show();
        setApple(version);
      }
    }
    googleReady(page).then(
      (ready) => {
        if (gone || !ready) return;
        show();
        setGoogle(true);
      },
      (error: unknown) => console.info("Google Pay is not offered:", error),
    );
    return () => {
      gone = true;
    };
  }, [page, begun]);

  function payByApple() {
    if (!apple || wallet.state.busy) return;
    wallet.start();
    try {
      beginSession(apple, page, {
        pay: wallet.send,
        settled: wallet.settle,
        cancelled: wallet.cancelled,
        failed: wallet.failed,
      });
    } catch (error) {
      wallet.failed(error);
    }
  }

  const { busy } = wallet.state;
  const told = <Told {...wallet.state} />;
  const buttons = (
    <section className="wallets" aria-label="Wallets" data-place={place}>
      <div>
        {place === "below" && <p className="or">or pay with</p>}
        <div className="wallet-row" inert={busy !== ""}>
          {apple !== 0 && <button type="button" className="apple-pay" aria-label="Apple Pay" onClick={payByApple} />}
          {google && <GoogleButton page={page} onOffer={wallet.sendAndSettle} onFailure={wallet.failed} />}
        </div>
        {!page.simulated && told}
        {place === "above" && <p className="or">or pay by card</p>}
      </div>
    </section>
  );
  const late = place === "below" && document.querySelector("#wallets-late");
  return (
    <>
      {page.simulated ? (
        <Simulated
          merchant={page.merchant}
          amount={page.amountLabel}
          outcomes={outcomes}
          busy={busy !== ""}
          onChoose={(kind, word) => wallet.sendAndSettle(simulatedOffer(kind, word))}
          onCancel={(kind) => kind === "apple" && wallet.cancelled()}
        >
          {told}
        </Simulated>
      ) : (
        !place && told
      )}
      {place === "above" && buttons}
      {late && createPortal(buttons, late)}
    </>
  );
}

type Place = "above" | "below";
