import { basketOf } from "../../pos/basket/store";
import { isWeb } from "./outcome";

/** The demo transaction pays for nobody's order. */
const demo = "demo";

/** What a page shows of a finished payment. */
const paid: ReadonlySet<string | undefined> = new Set(["success", "status", "completed", "refunded"]);

/** Milliseconds until a redirect after a success. */
const redirectDelay = 1000;

/** follow acts on the payment's new state: it forgets a paid basket, and may redirect after a success. */
export function follow(page: Document): void {
  const payment = page.querySelector<HTMLElement>("#payment");
  const { shop, trx, state } = payment?.dataset ?? {};
  if (!payment || !shop || !trx) return;
  if (trx !== demo && paid.has(state)) basketOf(shop).paid(trx);
  if (state === "expired") basketOf(shop).lapsed(trx);
  const onward = payment.querySelector<HTMLAnchorElement>("a[data-redirect]");
  if (onward && isWeb(onward.href)) setTimeout(() => onward.isConnected && location.assign(onward.href), redirectDelay);
}
