import { price } from "./money";
import { itemCount } from "./summary";

/** paintBar shows the number of items and their price in cents in the bar at the bottom of the menu (POS-11 to POS-13). */
export function paintBar({ count, total }: { count: number; total: number }, sign: string): void {
  const bar = document.querySelector<HTMLElement>(".bar");
  if (!bar) return;
  bar.dataset.count = String(count);
  setText(bar.querySelector('[data-basket="count"]'), itemCount(count));
  setText(bar.querySelector('[data-basket="total"]'), price(total, sign));
  bar.querySelector("button")?.setAttribute("aria-disabled", String(total === 0));
}

/** setText leaves an element alone if it already has the text, so that screen readers do not repeat it. */
export function setText(element: Element | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}
