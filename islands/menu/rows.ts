import { dollars } from "../basket/money";
import type { BasketStore } from "../basket/store";
import { itemCount, itemOf, summary } from "../basket/summary";
import { loadChunk } from "../load-chunk";
import type { Basket as BasketProps } from "../props.gen";
import { orderAddress } from "./address";

/** wireMenu keeps the menu's rows and the bottom bar in step with the basket, for taps and for changes elsewhere. */
export function wireMenu(page: HTMLElement, store: BasketStore, menu: BasketProps): void {
  const paint = () => {
    paintRows(page, store);
    paintBar(page, store, menu);
  };
  page.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>(buttons) : null;
    if (!button) return;
    event.preventDefault();
    const id = button.value;
    if (button.name === "choose") {
      const page = new URL(`${menu.client}/item/${id}${location.search}`, `${location.origin}/pos/`).href;
      loadChunk(() => import("../choose")).then(
        ({ choose }) => choose(page, store),
        () => location.assign(page),
      );
      return;
    }
    store.add(id, button.name === "add" ? 1 : -1);
    keepFocus(button);
  });
  // Until React is there, View Order leads to the server's order view. An empty basket has none (POS-13).
  page.addEventListener("submit", (event) => {
    if (!(event.target instanceof HTMLFormElement) || event.target.id !== "menu") return;
    event.preventDefault();
    if (summary(store.read(), menu).total === 0) return;
    store.ordered("*");
    location.assign(orderAddress(menu.orderUrl, store.read()));
  });
  store.subscribe(paint);
  paint();
}

const buttons = "[data-item] button";

function paintRows(page: HTMLElement, store: BasketStore) {
  const { items } = store.read();
  for (const row of page.querySelectorAll<HTMLElement>("[data-item]")) {
    let count = 0;
    for (const key in items) if (itemOf(key) === Number(row.dataset.item)) count += items[key] ?? 0;
    const pieces = String(count);
    setText(row.querySelector("output"), pieces);
    // The stylesheet shows the stepper by this value.
    row.querySelector("input")?.setAttribute("value", pieces);
  }
}

function paintBar(page: HTMLElement, store: BasketStore, menu: BasketProps) {
  const { count, total } = summary(store.read(), menu);
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
