import type { Wallets } from "../../props.gen";

/** The outcome of a wallet payment, as far as this page knows. */
export type Verdict =
  | { kind: "approved" }
  | { kind: "declined" }
  | { kind: "redirect"; to: string }
  /** Sent, but not decided yet. */
  | { kind: "open" }
  /** Not charged, for the reason in message. */
  | { kind: "refused"; message: string }
  /** There was no answer, so the outcome is unknown here. */
  | { kind: "lost" };

/** Fields of the payload in addition to those of every wallet payment (WALLET-08, WALLET-11). */
export type Offer =
  | { wallet: "gpay"; token: string; type: string; info: unknown; email: string; shippingAddress: unknown }
  | { wallet: "apple"; paymentData: unknown; paymentMethod: unknown; email: string; shippingAddress: unknown };

/** In milliseconds. The server answers within 3 s; an answer that takes this long is lost. */
const patience = 30_000;

/** HttpError is a wallet call whose answer was not OK (WALLET-30). */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(`HTTP error: ${status} - ${text}`);
  }
}

/** payload returns the body of /api/wallet. The server adds what browsers must not know: the transaction key and the paylink key. */
export function payload(page: Wallets, offer: Offer): Record<string, unknown> {
  return {
    ...offer,
    currency: page.currency,
    amount: page.amount,
    tRef: page.trxId,
    reference: page.trxId,
    description: page.description,
    [offer.wallet === "apple" ? "merchantid" : "merchantId"]: page.shop,
    transid: page.trxId,
    source: "PayLink",
    otgMerchant: page.shop,
  };
}

/** call posts JSON and returns the JSON of the answer; it throws an HttpError if that is not OK. */
export async function call(address: string, body: unknown, key?: string): Promise<Record<string, unknown>> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key ? { "Idempotency-Key": key } : {}) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout?.(patience) ?? null,
  });
  const text = await response.text();
  if (!response.ok) throw new HttpError(response.status, text);
  return objectOf(text);
}

/** payByWallet sends the payment once. It never rejects, and never takes silence for a decline. */
export async function payByWallet(page: Wallets, offer: Offer): Promise<Verdict> {
  try {
    return read(await call("/api/wallet", payload(page, offer), page.key));
  } catch (error) {
    if (!(error instanceof HttpError)) return { kind: "lost" };
    console.warn(error.message);
    const said = objectOf(error.text).error;
    // After a server error the payment may still have begun.
    if (error.status >= 500 && typeof said !== "string") return { kind: "lost" };
    return { kind: "refused", message: typeof said === "string" ? said : "" };
  }
}

function read({ state, status, redirect }: Record<string, unknown>): Verdict {
  if (state === "processing") {
    return typeof redirect === "string" && redirect ? { kind: "redirect", to: redirect } : { kind: "open" };
  }
  if (state === "paid") return { kind: "refused", message: "" }; // another guest paid, and the page says so
  const code =
    typeof status === "object" && status !== null ? (status as Record<string, unknown>).statuscode : undefined;
  if (code === undefined) return { kind: "lost" };
  return String(code) === "0" ? { kind: "approved" } : { kind: "declined" };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
