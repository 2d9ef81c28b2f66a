import { sparing } from "../../define-island";
import { loadChunk } from "../../load-chunk";
import type { Basket as BasketProps } from "../../props.gen";
import { paintBar, setText } from "../basket/bar";
import type { BasketStore } from "../basket/store";
import { itemOf, summary } from "../basket/summary";
import { orderAddress } from "./address";

/** wireMenu keeps the menu's rows and the bottom bar in step with the basket, for taps and for changes elsewhere. */
export function wireMenu(page: HTMLElement, store: BasketStore, menu: BasketProps): void {
  const paint = () => {
    paintRows(page, store);
    paintBar(summary(store.read(), menu), menu.sign);
  };
  const closeFilter = () => page.querySelector(".filter[open]")?.removeAttribute("open");
  addEventListener("keydown", ({ key }) => key === "Escape" && closeFilter());
  page.addEventListener("click", (event) => {
    const pressed = event.target as Element;
    if (!pressed.closest(".filter")) closeFilter();
    const button = pressed.closest<HTMLButtonElement>(buttons);
    if (!button) return;
    event.preventDefault();
    const id = button.value;
    if (button.name === "choose") {
      const page = new URL(`${menu.shop}/item/${id}${location.search}`, `${location.origin}/pos/`).href;
      loadChunk(() => import("../choose")).then(
        ({ choose }) => choose(page, store, event),
        () => location.assign(page),
      );
      return;
    }
    store.add(id, button.name === "add" ? 1 : -1);
    keepFocus(button);
  });
  // React opens the order in place (useBar). A press on View Order waits for it, and leads to the server's order view if it comes too late.
  // An empty basket has none (POS-13).
  page.addEventListener("submit", (event) => {
    const form = event.target as Element;
    if (form.closest(".filter")) event.submitter?.setAttribute("aria-busy", "true"); // the menu is loaded again (POS-26)
    const button = page.querySelector<HTMLButtonElement>(".bar button");
    if (form.id !== "menu" || !button) return;
    event.preventDefault();
    if (button.ariaBusy === "true" || summary(store.read(), menu).total === 0) return;
    button.ariaBusy = "true";
    page.querySelector("fc-order-basket")?.dispatchEvent(new Event("pointerover"));
    setTimeout(
      () => {
        if (button.ariaBusy !== "true") return;
        store.ordered("*");
        location.assign(orderAddress(menu.orderUrl, store.read()));
      },
      sparing() ? 0 : patience,
    );
  });
  // Going back may show the page as it was left.
  addEventListener("pageshow", () => page.querySelector(".filter [aria-busy]")?.removeAttribute("aria-busy"));
  store.subscribe(paint);
  paint();
}

const buttons = "[data-item] button";

/** How long a press waits for a script before it leads to another page, in milliseconds. */
const patience = 1000;

function paintRows(page: HTMLElement, store: BasketStore) {
  const { items } = store.read();
  for (const row of page.querySelectorAll<HTMLElement>("[data-item]")) {
    let count = 0;
    for (const key in items) if (itemOf(key) === Number(row.dataset.item)) count += items[key] ?? 0;
    const pieces = String(count);
    const input = row.querySelector("input");
    // A value that is set again makes the browser style the row again.
    if (input && input.defaultValue !== pieces) {
      setText(row.querySelector("output"), pieces);
      // The stylesheet shows the stepper by the attribute.
      input.defaultValue = pieces;
    }
  }
}

/** After the last piece minus does nothing, and the keyboard's focus moves to plus. */
function keepFocus(button: HTMLButtonElement) {
  const row = button.closest("[data-item]");
  if (row?.querySelector("input")?.value === "0") row.querySelector<HTMLButtonElement>("[name=add]")?.focus();
}
