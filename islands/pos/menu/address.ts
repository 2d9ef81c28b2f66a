import { type Basket, type BasketStore, same } from "../basket/store";

/**
 * takeFromAddress takes over the basket in an address (b=12x2.15~3-7x1, k=key) and removes it from there, so that it counts once.
 * It asks a guest who has chosen something else, because the address may be a friend's. The guest's own address names the key, or the
 * order (o=) that the basket made.
 */
export function takeFromAddress(store: BasketStore): void {
  const address = new URL(location.href);
  const [chosen = null, key, order] = ["b", "k", "o"].map((name) => {
    const value = address.searchParams.get(name);
    address.searchParams.delete(name);
    return value;
  });
  if (chosen === null) return;
  const items: Record<string, number> = {};
  for (const [, id, pieces] of chosen.matchAll(/([^.]+)x(\d+)/g)) {
    if (id && pieces) items[id] = Number(pieces);
  }
  history.replaceState(history.state, "", address);
  const mine = store.read();
  const replace = () => store.replace(items, key ?? "");
  const own = [order, "*"].includes(mine.trx) || mine.key === key || same(items, mine.items);
  if (own || Object.keys(mine.items).length === 0) {
    replace();
    return;
  }
  const question = document.querySelector<HTMLDialogElement>("#shared");
  question?.addEventListener("close", () => {
    if (question.returnValue === "replace") replace();
    if (question.returnValue === "add") for (const id in items) store.add(id, items[id] ?? 0);
  });
  question?.showModal();
}

/** orderAddress returns the address where the server shows a basket. With the quantities and the key it is the same order. */
export function orderAddress(page: string, basket: Basket): string {
  const address = new URL(page, location.href);
  const chosen = Object.entries(basket.items).map(([id, pieces]) => `${id}x${pieces}`);
  if (chosen.length > 0) {
    address.searchParams.set("b", chosen.join("."));
    address.searchParams.set("k", basket.key);
  }
  return address.href;
}
