import type { Choice, Item } from "../../props.gen";
import type { Basket } from "./store";

/** Offer is the part of a menu that prices a basket. */
export interface Offer {
  readonly items: readonly Item[];
  readonly choices?: readonly Choice[] | undefined;
}

/** Line is one chosen item as the menu offers it now. */
export interface Line {
  /** The basket's name for it: "12", and "12~3-7" with the choices 3 and 7. */
  readonly key: string;
  /** The item at its price with the choices, sold out if one of them is. */
  readonly item: Item;
  readonly pieces: number;
  /** The names of the choices, in the order of the menu. */
  readonly options: readonly string[];
  /** The choice that is sold out. */
  readonly gone?: string | undefined;
}

/** linesOf lists the choice in menu order. It leaves out what the menu no longer has. */
export function linesOf(basket: Basket, { items, choices = [] }: Offer): Line[] {
  const lines = Object.entries(basket.items);
  return items.flatMap((item) =>
    lines.flatMap(([key, pieces]) => {
      if (itemOf(key) !== item.id) return [];
      const ids = choicesOf(key, item);
      const chosen = choices.filter(({ id }) => ids.includes(id));
      const gone = chosen.find((choice) => choice.soldOut)?.name;
      const priceMinor = chosen.reduce((sum, choice) => sum + (choice.priceMinor ?? 0), item.priceMinor);
      const soldOut = item.soldOut || chosen.length < ids.length || gone !== undefined;
      return [{ key, item: { ...item, priceMinor, soldOut }, pieces, options: chosen.map(({ name }) => name), gone }];
    }),
  );
}

/** itemOf returns the id of the item in a line of the basket. */
export function itemOf(key: string): number {
  return Number.parseInt(key, 10);
}

/** choicesOf returns the choices that a line names, or else the preset ones. */
export function choicesOf(key: string, item: Item): readonly number[] {
  const named = key.split("~")[1];
  return named === undefined ? (item.preset ?? []) : named.split("-").filter(Boolean).map(Number);
}

/** summary counts the items and adds up their price in cents; items that are sold out cost nothing. */
export function summary(basket: Basket, menu: Offer): { count: number; total: number } {
  let count = 0;
  let total = 0;
  for (const { item, pieces } of linesOf(basket, menu)) {
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
