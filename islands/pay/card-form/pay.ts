import type { CardForm } from "../../props.gen";
import type { Card, FieldName, Problems } from "./check";
import { digitsOf } from "./format";

export type Answer =
  /** The server's page shows the state. The message is for a page that still asks for a payment. */
  | { kind: "look"; message: string }
  | { kind: "redirect"; to: string }
  | { kind: "refused"; problems: Problems; message: string }
  /** There was no answer, so the outcome is unknown here. */
  | { kind: "lost" };

/** In milliseconds. The server answers within 3 s; an answer that takes this long is lost. */
const patience = 30_000;

/** pay sends the card (PAY-26, PAY-27). It never rejects, and never takes silence for a decline. */
export async function pay(form: CardForm, card: Card): Promise<Answer> {
  try {
    const response = await fetch("/api/pay", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": form.key },
      body: JSON.stringify({
        merchantId: form.shop,
        trxId: form.trxId,
        currency: form.currency,
        cardholder: card.name.trim(),
        pan: digitsOf(card.card),
        exp: card.exp,
        cvc: card.cvc,
        testMode: form.testMode,
        cEmail: card.email.trim(),
      }),
      signal: AbortSignal.timeout?.(patience) ?? null,
    });
    return await read(response);
  } catch {
    return { kind: "lost" };
  }
}

async function read(response: Response): Promise<Answer> {
  const { redirect, error, fields } = await body(response);
  const message = typeof error === "string" ? error : "";
  if ([400, 422, 429].includes(response.status)) {
    return { kind: "refused", problems: fieldProblems(fields), message };
  }
  if (response.status === 202 && typeof redirect === "string" && redirect) return { kind: "redirect", to: redirect };
  return { kind: "look", message };
}

/** body parses a JSON object and returns an empty one for anything else; it rejects when the connection breaks. */
async function body(response: Response): Promise<Record<string, unknown>> {
  const content: unknown = await response.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) return {};
    throw error;
  });
  return typeof content === "object" && content !== null ? (content as Record<string, unknown>) : {};
}

const ownNames: Readonly<Record<string, FieldName>> = {
  cardholder: "name",
  pan: "card",
  exp: "exp",
  cvc: "cvc",
  cEmail: "email",
};

function fieldProblems(fields: unknown): Problems {
  const problems: Partial<Record<FieldName, string>> = {};
  if (typeof fields !== "object" || fields === null) return problems;
  for (const [name, message] of Object.entries(fields)) {
    const own = ownNames[name];
    if (own && typeof message === "string") problems[own] = message;
  }
  return problems;
}
