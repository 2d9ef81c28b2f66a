import type { Basket, BasketStore } from "../basket/store";

/**
 * takeFromAddress takes over what a page without scripts kept in its address (b=12x2.15~3-7x1, k=key) and removes it from the
 * address, so that it counts once.
 */
export function takeFromAddress(store: BasketStore): void {
  const address = new URL(location.href);
  const chosen = address.searchParams.get("b");
  if (chosen === null) return;
  const items: Record<string, number> = {};
  for (const [, id, pieces] of chosen.matchAll(/([^.]+)x(\d+)/g)) {
    if (id && pieces) items[id] = Number(pieces);
  }
  store.replace(items, address.searchParams.get("k") ?? "");
  address.searchParams.delete("b");
  address.searchParams.delete("k");
  history.replaceState(history.state, "", address);
}

/** orderAddress is where the server shows a basket; with the quantities and the key it is the same order. */
export function orderAddress(page: string, basket: Basket): string {
  const address = new URL(page, location.href);
  const chosen = Object.entries(basket.items).map(([id, pieces]) => `${id}x${pieces}`);
  address.searchParams.set("b", chosen.join("."));
  address.searchParams.set("k", basket.key);
  return address.href;
}
