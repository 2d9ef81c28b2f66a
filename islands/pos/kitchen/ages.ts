import { serverNow } from "../../clock";
import { KitchenLate, KitchenSoon } from "../../props.gen";

/** Minutes before the end of a session at which the screen warns. */
const warnBefore = 15;

const minute = 60_000;

/** age says how long ago something was, in the server's words. */
export function age(minutes: number): string {
  if (minutes < 1) return "just now";
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** late returns how urgent an order is, as the server does. */
export function late(minutes: number): "" | "soon" | "late" {
  if (minutes >= KitchenLate) return "late";
  return minutes >= KitchenSoon ? "soon" : "";
}

/** tick brings every age on the page up to date. */
export function tick(page: Document, now: number): void {
  for (const time of page.querySelectorAll("time")) {
    const minutes = Math.max(0, Math.floor((now - Date.parse(time.dateTime)) / minute));
    const text = time.closest(".finished") && minutes > 0 ? `${age(minutes)} ago` : age(minutes);
    if (time.textContent !== text) time.textContent = text;
    const ticket = time.closest<HTMLElement>(".ticket");
    if (ticket && ticket.dataset.late !== late(minutes)) ticket.dataset.late = late(minutes);
  }
  const ends = page.querySelector<HTMLElement>("#ends");
  if (ends) ends.hidden = Date.parse(ends.dataset.at ?? "") - now > warnBefore * minute;
}

/** countOn keeps the ages up to date, by the server's clock. */
export function countOn(page: Document): void {
  setInterval(() => tick(page, serverNow()), minute / 4);
}
