import { expect } from "@playwright/test";

// A LedgerEntry is a movement of money at the sandbox.
interface LedgerEntry {
  kind: "capture" | "refund";
  reference: string;
  trxId: string;
  amount: string;
  currency: string;
  arrivals: number;
}

// captures lists what the gateway charged for a transaction.
export async function captures(trxId: string): Promise<LedgerEntry[]> {
  const found: LedgerEntry[] = [];
  let cursor = "";
  do {
    const response = await fetch(`${process.env.E2E_SANDBOX_URL}/ledger?cursor=${cursor}`, {
      headers: { Authorization: `Bearer ${process.env.E2E_SANDBOX_KEY}` },
    });
    expect(response.status, "the sandbox's ledger can be read").toBe(200);
    const page = (await response.json()) as { entries: LedgerEntry[]; next: string };
    found.push(...page.entries.filter((entry) => entry.trxId === trxId && entry.kind === "capture"));
    cursor = page.next;
  } while (cursor);
  return found;
}

// expectCharged checks that the gateway charged a transaction exactly once, by one call.
export async function expectCharged(trxId: string, amount: string): Promise<void> {
  const entries = await captures(trxId);
  expect(entries.map((entry) => [entry.amount, entry.currency, entry.arrivals])).toEqual([[amount, "AUD", 1]]);
}
