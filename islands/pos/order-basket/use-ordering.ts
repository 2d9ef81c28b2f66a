import { useRef, useState } from "react";
import type { BasketStore } from "../basket/store";
import { createOrder, isPaid, type Order, pathOf } from "./create";
import { type Trouble, troubleText } from "./trouble";

/** The state of ordering, and what the server added to it. */
export interface Ordering {
  /** The amount in cents while the transaction is created (POS-22). */
  readonly preparing: number | undefined;
  readonly trouble: Trouble | undefined;
  /** What people read about it. */
  readonly text: string;
  /** The server's price, in cents, of the basket with that key. */
  readonly price: { key: string; amount: number } | undefined;
  /** What the server refused: ids of items, and those of choices as negative numbers. */
  readonly refused: ReadonlySet<number>;
  /** The server's messages about items outside their hours, by id. */
  readonly closed?: Readonly<Record<number, string>> | undefined;
}

const idle: Ordering = { preparing: undefined, trouble: undefined, text: "", price: undefined, refused: new Set() };

/** useOrdering creates a basket's transaction, only once however often it is called, and opens its payment page. */
export function useOrdering(store: BasketStore, back: () => void) {
  const [ordering, set] = useState(idle);
  const busy = useRef(false);

  /** Guests pass around addresses with a basket, but only the guest who ordered may see its payment. */
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
      // This basket never paid what the key belongs to, so this is another order.
      store.renew();
      key = store.read().key;
      outcome = await createOrder({ ...wanted, key });
    }
    if (outcome.kind === "created" && outcome.again && !isOwn(outcome.trxId)) {
      const paid = await isPaid(wanted.shop, outcome.trxId);
      if (paid) store.renew();
      if (paid !== false) outcome = { kind: paid ? "paid" : "unreachable" };
    }
    if (outcome.kind === "created") {
      store.ordered(outcome.trxId);
      location.assign(pathOf(wanted.shop, outcome.trxId));
      return; // stay busy until the page is left
    }
    busy.current = false;
    if (outcome.kind === "keyUsed") outcome = { kind: "failed" };
    const text = outcome.kind === "refused" ? outcome.text : troubleText[outcome.kind];
    const { kind } = outcome;
    set((now) => ({
      preparing: undefined,
      trouble: kind,
      text,
      price: outcome.kind === "price" ? { key, amount: outcome.amount } : now.price,
      refused: outcome.kind === "unavailable" ? new Set([...now.refused, ...outcome.ids]) : now.refused,
      closed: outcome.kind === "unavailable" ? outcome.closed : now.closed,
    }));
    if (kind === "nothing") back();
  }
  return { ordering, order, calm: () => set((now) => ({ ...now, trouble: undefined })) };
}
