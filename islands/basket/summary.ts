import type { Item } from "../props.gen";
import type { Basket } from "./store";

/** Line is one chosen item as the menu now offers it. */
export interface Line {
  readonly item: Item;
  readonly pieces: number;
}

/** linesOf lists what is chosen in the order of the menu. What the menu no longer knows is left out. */
export function linesOf(basket: Basket, items: readonly Item[]): Line[] {
  return items.flatMap((item) => {
    const pieces = basket.items[String(item.id)] ?? 0;
    return pieces > 0 ? [{ item, pieces }] : [];
  });
}

/** summary counts the pieces and adds up what they cost in cents; what is sold out costs nothing. */
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

/** itemCount words how many pieces there are, as the server does. */
export function itemCount(count: number): string {
  return count === 1 ? "1 item" : `${count} items`;
}
