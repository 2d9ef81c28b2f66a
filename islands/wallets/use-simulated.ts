import { useEffect, useRef } from "react";
import { loadChunk } from "../load-chunk";
import type { Wallets } from "../props.gen";
import type { useWallet } from "./use-wallet";

/** useSimulated renders the simulated wallets among the test cards, where the page offers them. */
export function useSimulated(page: Wallets, wallet: ReturnType<typeof useWallet>): void {
  const latest = useRef(wallet);
  latest.current = wallet;
  useEffect(() => {
    const place = page.simulated && document.querySelector("#wallets-simulated");
    if (!place) return;
    const host = document.createElement("div");
    place.replaceChildren(host);
    let stop = () => host.remove();
    const load = () => Promise.all([import("./simulated"), import("../react-root")]);
    loadChunk(load).then(([{ default: Simulated }, { mount }]) => {
      if (!host.isConnected) return;
      const props = {
        merchant: page.merchant,
        amount: `${page.amount} ${page.currency}`,
        onOffer: (offer: Parameters<typeof wallet.send>[0]) => latest.current.sendAndSettle(offer),
        onCancel: (kind: string) => kind === "apple" && latest.current.cancelled(),
      };
      const root = mount(host, Simulated, props, reportError);
      stop = () => {
        root?.unmount();
        host.remove();
      };
    }, reportError);
    return () => stop();
  }, [page]);
}
