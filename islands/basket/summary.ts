import type { Item } from "../props.gen";
import type { Basket } from "./store";

/** Line is one chosen item as the menu offers it now. */
export interface Line {
  readonly item: Item;
  readonly pieces: number;
}

/** linesOf lists the choice in menu order. It leaves out what the menu no longer has. */
export function linesOf(basket: Basket, items: readonly Item[]): Line[] {
  return items.flatMap((item) => {
    const pieces = basket.items[String(item.id)] ?? 0;
    return pieces > 0 ? [{ item, pieces }] : [];
  });
}

/** summary counts the items and adds up their price in cents; what is sold out costs nothing. */
export function summary(basket: Basket, items: readonly Item[]): { count: number; total: number } {
  let count = 0;
  let total = 0;
  for (const { item, pieces } of linesOf(basket, items)) {
    if (item.soldOut) continue;
    count += pieces;
    total += pieces * item.priceMinor;
  }
  return { count, total };
}

/** itemCount puts the number of items into words, as the server does. */
export function itemCount(count: number): string {
  return count === 1 ? "1 item" : `${count} items`;
}
