import type { BasketStore } from "../basket/store";

/**
 * takeFromAddress takes over what a page without scripts kept in its address (b=12x2.15x1, k=key) and takes it out of the
 * address, so that it counts once.
 */
export function takeFromAddress(store: BasketStore): void {
  const address = new URL(location.href);
  const chosen = address.searchParams.get("b");
  if (chosen === null) return;
  const items: Record<string, number> = {};
  for (const [, id, pieces] of chosen.matchAll(/(\d+)x(\d+)/g)) {
    if (id && pieces) items[id] = Number(pieces);
  }
  store.replace(items, address.searchParams.get("k") ?? "");
  address.searchParams.delete("b");
  address.searchParams.delete("k");
  history.replaceState(history.state, "", address);
}
