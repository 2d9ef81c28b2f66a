import { wire } from "../../pos/basket/money";

/** Payment is what a page knows about a payment at the terminal (BRIDGE-29). */
export interface Payment {
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly email: string;
  /** When the button was pressed, in milliseconds since 1970; it tells payments apart (BRIDGE-15). */
  readonly ref: string;
  readonly currency: "AUD";
  /** With two decimals: "5.00". */
  readonly amount: string;
  readonly summary: string;
}

export type Customer = Pick<Payment, "firstName" | "lastName" | "phone" | "email">;

/** payment makes one from cents and a time in milliseconds. */
export function payment(customer: Customer, cents: number, summary: string, now: number): Payment {
  return { ...customer, ref: String(now), currency: "AUD", amount: wire(cents), summary };
}

/** cents parses an amount as typed, "5", "5.5" or "5.00"; 0 if it is not an amount. */
export function cents(typed: string): number {
  return /^\d{1,6}(\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : 0;
}
