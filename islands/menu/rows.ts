import { dollars } from "../basket/money";
import type { BasketStore } from "../basket/store";
import { itemCount, summary } from "../basket/summary";
import type { Basket as BasketProps, Item } from "../props.gen";
import { orderAddress } from "./address";

/** wireMenu keeps the menu's rows and the bottom bar in step with the basket, for taps and for changes elsewhere. */
export function wireMenu(page: HTMLElement, store: BasketStore, menu: BasketProps): void {
  const paint = () => {
    paintRows(page, store);
    paintBar(page, store, menu.items);
  };
  page.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>(buttons) : null;
    const id = button?.closest<HTMLElement>("[data-item]")?.dataset.item;
    if (!button || !id) return;
    event.preventDefault();
    store.add(id, button.name === "add" ? 1 : -1);
    keepFocus(button);
  });
  // Until React is there, View Order leads to the server's order view. An empty basket has none (POS-13).
  page.addEventListener("submit", (event) => {
    if (!(event.target instanceof HTMLFormElement) || event.target.id !== "menu") return;
    event.preventDefault();
    if (summary(store.read(), menu.items).total === 0) return;
    store.ordered("*");
    location.assign(orderAddress(menu.orderUrl, store.read()));
  });
  store.subscribe(paint);
  paint();
}

const buttons = "[data-item] button[name=add], [data-item] button[name=remove]";

function paintRows(page: HTMLElement, store: BasketStore) {
  const { items } = store.read();
  for (const row of page.querySelectorAll<HTMLElement>("[data-item]")) {
    const pieces = String(items[row.dataset.item ?? ""] ?? 0);
    setText(row.querySelector("output"), pieces);
    // The stylesheet shows the stepper by this value.
    row.querySelector('input[name^="qty."]')?.setAttribute("value", pieces);
  }
}

function paintBar(page: HTMLElement, store: BasketStore, items: readonly Item[]) {
  const { count, total } = summary(store.read(), items);
  const bar = page.querySelector<HTMLElement>("fc-order-basket .bar");
  if (!bar || bar.closest(".island")) return; // React paints its own
  bar.dataset.count = String(count);
  setText(bar.querySelector('[data-basket="count"]'), itemCount(count));
  setText(bar.querySelector('[data-basket="total"]'), dollars(total));
  bar.querySelector("button")?.setAttribute("aria-disabled", String(total === 0));
}

function setText(element: Element | null, text: string) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Minus disappears with the last piece; the keyboard's focus moves to plus. */
function keepFocus(button: HTMLButtonElement) {
  if (button.checkVisibility?.() ?? true) return;
  button.closest("[data-item]")?.querySelector<HTMLButtonElement>("button[name=add]")?.focus();
}
