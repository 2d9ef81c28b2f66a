/** The basket of one business on this device: what was chosen, kept for the next visit and shared between tabs. */
import { MaxQty } from "../../props.gen";

/** Basket is immutable: a change makes a new one. */
export interface Basket {
  /** Quantity by item id, 1 to MaxQty; an item that is not wanted is absent. */
  readonly items: Readonly<Record<string, number>>;
  /** Idempotency key for ordering exactly this. Every change of the order draws a new key. */
  readonly key: string;
  readonly name: string;
  readonly table: string;
  /** "" for none, "10" for a percentage of the items, "=2.50" for an amount that is typed. */
  readonly tip: string;
  /** When it was last changed, in milliseconds since 1970. */
  readonly at: number;
  /** The transaction made from it; "*" if a form posted it, so that the transaction is unknown; empty before that. */
  readonly trx: string;
}

export interface BasketStore {
  read(): Basket;
  /** add changes the quantity of an item, within 0 to 99 (POS-14). */
  add(id: string, change: number): void;
  rename(name: string): void;
  tip(tip: string): void;
  /** seat records the table that the page was opened for. */
  seat(table: string): void;
  /** replace takes over the choice that the page's address carries. */
  replace(items: Readonly<Record<string, number>>, key: string): void;
  /** ordered records which transaction was made from the basket. */
  ordered(trx: string): void;
  /** paid empties the basket if that transaction was made from it, and leaves any other basket alone. */
  paid(trx: string): void;
  /** lapsed renews the basket if that transaction was made from it and can no longer be paid. */
  lapsed(trx: string): void;
  /** renew turns the same choice into another order, with its own key. */
  renew(): void;
  /** subscribe calls back after every change, in other tabs too, and returns a function that stops it. */
  subscribe(listener: () => void): () => void;
}

/** basketFor is how long the browser keeps a basket after its last change, in milliseconds. */
const basketFor = 12 * 60 * 60 * 1000;

const open = new Map<string, BasketStore>();

/** basketOf returns the page's one store for a business. */
export function basketOf(shop: string): BasketStore {
  let store = open.get(shop);
  if (!store) {
    store = createBasket(shop);
    open.set(shop, store);
  }
  return store;
}

export function createBasket(shop: string, now: () => number = Date.now): BasketStore {
  const place = `forecourt.basket.${shop}`;
  const listeners = new Set<() => void>();
  let basket = load(place, now()) ?? empty(now());

  function change(next: Partial<Basket>) {
    basket = { ...basket, ...next, at: now() };
    save(place, basket);
    notify();
  }
  /** edit changes the order, which makes it a new order with a new key. */
  function edit(next: Partial<Basket>) {
    change({ key: newKey(), trx: "", ...next });
  }
  function notify() {
    for (const listener of listeners) listener();
  }

  addEventListener("storage", (event) => {
    if (event.key !== place && event.key !== null) return;
    basket = load(place, now()) ?? empty(now());
    notify();
  });
  // A page that the browser kept has missed what other pages wrote, and any order that the guest now waits for.
  addEventListener("pageshow", (event) => event.persisted && location.reload());

  return {
    read: () => basket,
    add(id, by) {
      const pieces = Math.min(MaxQty, Math.max(0, (basket.items[id] ?? 0) + by));
      if (pieces === (basket.items[id] ?? 0)) return;
      const { [id]: _, ...others } = basket.items;
      edit({ items: pieces > 0 ? { ...others, [id]: pieces } : others });
    },
    rename(name) {
      if (name !== basket.name) edit({ name });
    },
    tip: (tip) => edit({ tip }),
    seat(table) {
      if (table !== basket.table) edit({ table });
    },
    replace(items, key) {
      const clean = pieces(items);
      if (same(clean, basket.items)) {
        if (key && key !== basket.key) change({ key });
        return;
      }
      edit(key ? { items: clean, key } : { items: clean });
    },
    ordered: (trx) => change({ trx }),
    paid(trx) {
      if (basket.trx === trx || basket.trx === "*") edit({ items: {}, name: "", tip: "" });
    },
    lapsed(trx) {
      if (basket.trx === trx || basket.trx === "*") edit({});
    },
    renew: () => edit({}),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function empty(at: number): Basket {
  return { items: {}, key: newKey(), name: "", table: "", tip: "", at, trx: "" };
}

/** load returns undefined if the stored basket is missing, damaged, out of date or inaccessible. */
function load(place: string, now: number): Basket | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(place) ?? "null");
    if (typeof found !== "object" || found === null) return undefined;
    const { items, key, name, table, tip, at, trx } = found as Record<string, unknown>;
    if (typeof key !== "string" || key === "" || typeof at !== "number" || !(now - at < basketFor)) return undefined;
    return { items: pieces(items), key, name: text(name), table: text(table), tip: text(tip), at, trx: text(trx) };
  } catch {
    return undefined;
  }
}

function save(place: string, basket: Basket) {
  try {
    localStorage.setItem(place, JSON.stringify(basket));
  } catch {
    // Storage is full or forbidden, so the basket lasts only as long as the page.
  }
}

function pieces(items: unknown): Record<string, number> {
  const clean: Record<string, number> = {};
  if (typeof items !== "object" || items === null) return clean;
  for (const [id, quantity] of Object.entries(items)) {
    if (Number.isInteger(quantity) && quantity > 0) clean[id] = Math.min(MaxQty, quantity);
  }
  return clean;
}

export function same(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): boolean {
  const ids = Object.keys(a);
  return ids.length === Object.keys(b).length && ids.every((id) => a[id] === b[id]);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** newKey returns 128 random bits. randomUUID is missing on pages that are not served over https. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
