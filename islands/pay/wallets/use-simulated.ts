import { useEffect, useRef } from "react";
import type { Wallets } from "../../props.gen";
import { mount } from "../../react-root";
import Simulated from "./simulated";
import type { useWallet } from "./use-wallet";

/** useSimulated renders the simulated wallets among the test cards, if the page offers them. */
export function useSimulated(page: Wallets, wallet: ReturnType<typeof useWallet>): void {
  const latest = useRef(wallet);
  latest.current = wallet;
  useEffect(() => {
    const place = page.simulated && document.querySelector("#wallets-simulated");
    if (!place) return;
    const host = document.createElement("div");
    place.replaceChildren(host);
    const props = {
      merchant: page.merchant,
      amount: `${page.amount} ${page.currency}`,
      onOffer: (offer: Parameters<typeof wallet.send>[0]) => latest.current.sendAndSettle(offer),
      onCancel: (kind: string) => kind === "apple" && latest.current.cancelled(),
    };
    let stop = () => host.remove();
    // React renders one tree after another.
    queueMicrotask(() => {
      if (!host.isConnected) return;
      const root = mount(host, Simulated, props, reportError);
      stop = () => {
        root?.unmount();
        host.remove();
      };
    });
    return () => stop();
  }, [page]);
}
