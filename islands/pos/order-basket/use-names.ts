import { useEffect, useState } from "react";
import { NoLonger } from "../../props.gen";
import { isolated } from "../../ui/isolated";
import type { Basket, BasketStore } from "../basket/store";
import { choicesOf, linesOf, type Offer } from "../basket/summary";

/** What a line of the basket is called, by its key. */
type Names = Readonly<Record<string, string>>;

/**
 * useNames takes out of the basket what has left the menu since it was chosen, and returns the sentence that names it, "" if nothing has.
 * Only the browser that chose it knows its name.
 */
export function useNames(shop: string, store: BasketStore, { items: chosen }: Basket, menu: Offer): string {
  const [left, say] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu stays as it came with the page
  useEffect(() => {
    const place = `forecourt.names.${shop}`;
    const before = read(place);
    const names: Record<string, string> = {};
    const kept: Record<string, number> = {};
    const known = (id: number) => menu.choices?.some((choice) => choice.id === id);
    for (const { key, item, pieces, options } of linesOf(store.read(), menu)) {
      if (!choicesOf(key, item).every(known)) continue;
      kept[key] = pieces;
      names[key] = options.length > 0 ? `${item.name} with ${options.join(", ")}` : item.name;
    }
    save(place, names);
    const gone = Object.keys(chosen).filter((key) => !(key in kept));
    if (gone.length === 0) return;
    store.replace(kept, "");
    const told = [...new Set(gone.map((key) => isolated(before[key] ?? "something that you chose")))].join("; ");
    say(`${NoLonger}: ${told}. We took ${gone.length === 1 ? "it" : "them"} out of your order.`);
  }, [chosen]);
  return left;
}

function read(place: string): Names {
  try {
    return Object(JSON.parse(localStorage.getItem(place) ?? "{}")) as Names;
  } catch {
    return {};
  }
}

function save(place: string, names: Names) {
  try {
    localStorage.setItem(place, JSON.stringify(names));
  } catch {
    // Storage is full or forbidden, as it is for the basket.
  }
}
