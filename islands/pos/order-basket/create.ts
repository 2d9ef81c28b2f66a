import { minor, wire } from "../basket/money";
import type { Line } from "../basket/summary";

/** The data that an order is made from. */
export interface Order {
  readonly shop: string;
  readonly lines: readonly Line[];
  /** The total that the customer saw, in cents; the server decides the price. */
  readonly amount: number;
  /** Of amount. */
  readonly tip: number;
  readonly name: string;
  readonly table: string;
  readonly key: string;
}

export type Outcome =
  /** again: this key already made it. */
  | { kind: "created"; trxId: string; again: boolean }
  /** An answer without a transaction (POS-24). */
  | { kind: "nothing" }
  | { kind: "price"; amount: number }
  /** The ids of items, and those of choices as negative numbers; messages about items outside their hours, by id. */
  | { kind: "unavailable"; ids: number[]; closed: Record<number, string> | undefined }
  /** The key belongs to another order. */
  | { kind: "keyUsed" }
  /** The key belongs to this order, which another guest with the same address has paid. */
  | { kind: "paid" }
  /** The server's message says why not. */
  | { kind: "refused"; text: string }
  | { kind: "unreachable" }
  | { kind: "failed" };

/** In milliseconds. An answer that takes longer counts as lost. The same key makes it safe to ask again. */
const patience = 20_000;

/** createOrder asks the server for a transaction (POS-28). It never rejects. */
export async function createOrder(order: Order): Promise<Outcome> {
  let response: Response;
  let body: Record<string, unknown>;
  try {
    response = await fetch("/api/pos", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": order.key },
      body: JSON.stringify(payload(order)),
      signal: AbortSignal.timeout?.(patience) ?? null,
    });
    body = await answer(response);
  } catch {
    return { kind: "unreachable" };
  }
  if (response.ok) {
    if (typeof body.trxId !== "string" || !body.trxId) return { kind: "nothing" };
    return { kind: "created", trxId: body.trxId, again: response.status === 200 };
  }
  const amount = minor(body.amount);
  if (response.status === 409 && amount !== undefined) return { kind: "price", amount };
  if (response.status === 409 && !body.paused)
    return {
      kind: "unavailable",
      ids: [...numbers(body.itemIds), ...numbers(body.choiceIds).map((id) => -id)],
      closed: body.closed as Record<number, string> | undefined,
    };
  if (response.status === 422 && body.field === "Idempotency-Key") return { kind: "keyUsed" };
  if (response.status < 500 && typeof body.error === "string") return { kind: "refused", text: body.error };
  return { kind: "failed" };
}

/** pathOf returns the path of a transaction's page; below /api it is that of the transaction itself. */
export function pathOf(shop: string, trxId: string): string {
  return `/pos/${encodeURIComponent(shop)}/${encodeURIComponent(trxId)}`;
}

/** isPaid asks whether a transaction is paid; undefined if the server does not say. */
export async function isPaid(shop: string, trxId: string): Promise<boolean | undefined> {
  try {
    const response = await fetch(`/api${pathOf(shop, trxId)}`, { signal: AbortSignal.timeout?.(patience) ?? null });
    const { status } = await answer(response);
    return response.ok ? status === "success" || status === "completed" || status === "paid" : undefined;
  } catch {
    return undefined;
  }
}

function payload({ shop, lines, amount, tip, name, table }: Order) {
  return {
    merchantId: shop,
    order: lines.map(({ key, pieces }) => ({ id: Number(key) || key, qty: pieces })),
    amount: wire(amount),
    tip: tip ? wire(tip) : undefined,
    name,
    table,
    description: "Food Order",
    source: "diy-pos",
    trxRef: "",
    pushToken: pushToken(),
  };
}

/** pushToken is this browser's registration for push messages (PUSH-13), empty without one. ui/push/kept.ts keeps it. */
export function pushToken(): string {
  try {
    return (Notification.permission === "granted" && localStorage.getItem("forecourt.push")?.split(" ")[0]) || "";
  } catch {
    return "";
  }
}

async function answer(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) return {}; // not JSON: the status is enough
    throw error; // the connection broke
  });
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

function numbers(list: unknown): number[] {
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "number") : [];
}
