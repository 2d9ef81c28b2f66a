import { useEffect, useRef, useState } from "react";
import type { BasketStore } from "../basket/store";
import { createOrder, isPaid, type Order, type Outcome, pathOf } from "./create";

export type Trouble = Exclude<Outcome["kind"], "created" | "keyUsed">;

/** Where ordering stands, and what the server said that the page did not know. */
export interface Ordering {
  /** The amount in cents while the transaction is created (POS-22). */
  readonly preparing: number | undefined;
  readonly trouble: Trouble | undefined;
  /** The server's price in cents of the basket with that key. */
  readonly price: { key: string; amount: number } | undefined;
  /** Items that the server refused. */
  readonly refused: ReadonlySet<number>;
}

const idle: Ordering = { preparing: undefined, trouble: undefined, price: undefined, refused: new Set() };

/** useOrdering makes the transaction of a basket, once however often it is asked, and leads to its payment page. */
export function useOrdering(store: BasketStore, back: () => void) {
  const [ordering, set] = useState(idle);
  const busy = useRef(false);

  // The browser may bring this page back as it was left: in the middle of preparing.
  useEffect(() => {
    const restore = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      busy.current = false;
      set((now) => ({ ...now, preparing: undefined }));
    };
    addEventListener("pageshow", restore);
    return () => removeEventListener("pageshow", restore);
  }, []);

  /** An address with a basket goes from hand to hand: its payment is for who made the order. */
  function isOwn(trxId: string): boolean {
    const { trx } = store.read();
    return trx === trxId || trx === "*";
  }

  async function order(wanted: Omit<Order, "key">) {
    if (busy.current) return;
    busy.current = true;
    set((now) => ({ ...now, preparing: wanted.amount, trouble: undefined }));
    let key = store.read().key;
    let outcome = await createOrder({ ...wanted, key });
    if (outcome.kind === "keyUsed") {
      // What the key stands for was never paid by this basket: this is another order.
      store.renew();
      key = store.read().key;
      outcome = await createOrder({ ...wanted, key });
    }
    if (outcome.kind === "created" && outcome.again && !isOwn(outcome.trxId)) {
      const paid = await isPaid(wanted.client, outcome.trxId);
      if (paid) store.renew();
      if (paid !== false) outcome = { kind: paid ? "paid" : "unreachable" };
    }
    if (outcome.kind === "created") {
      store.ordered(outcome.trxId);
      location.assign(pathOf(wanted.client, outcome.trxId));
      return; // busy until the page is left
    }
    busy.current = false;
    const { kind } = outcome;
    set((now) => ({
      preparing: undefined,
      trouble: kind === "keyUsed" ? "failed" : kind,
      price: outcome.kind === "price" ? { key, amount: outcome.amount } : now.price,
      refused: outcome.kind === "unavailable" ? new Set([...now.refused, ...outcome.ids]) : now.refused,
    }));
    if (kind === "nothing") back();
  }
  return { ordering, order, calm: () => set((now) => ({ ...now, trouble: undefined })) };
}
