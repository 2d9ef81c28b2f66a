import { isEmail } from "../../email";
import { luhn } from "../luhn";
import { digitsOf } from "./format";

/** The fields of the card form (PAY-17), by the names they are posted with. */
export interface Card {
  readonly name: string;
  readonly card: string;
  readonly exp: string;
  readonly cvc: string;
  readonly email: string;
}

export type FieldName = keyof Card;
export type Problems = Readonly<Partial<Record<FieldName, string>>>;

/** In the order of the form. */
export const fieldNames: readonly FieldName[] = ["card", "exp", "cvc", "name", "email"];

/** Words are the messages by field name and problem: "name missing". */
export type Words = Readonly<Record<string, string>>;

/** check returns what is wrong with a card, in the server's words; empty if nothing is wrong. */
export function check(card: Card, words: Words, now = Date.now()): Problems {
  const problems: Partial<Record<FieldName, string>> = {};
  for (const name of fieldNames) {
    const value = card[name].trim();
    const problem = value || name === "email" ? rules[name](value, now) : "missing";
    if (problem) problems[name] = words[`${name} ${problem}`] ?? "Please check this field";
  }
  return problems;
}

type Problem = "" | "bad" | "checksum" | "past";

/** What is wrong with a value that is not empty. The server's rules, in package payment, decide. */
const rules: Record<FieldName, (value: string, now: number) => Problem> = {
  name: () => "",
  card(value) {
    const digits = digitsOf(value);
    if (digits.length < 12) return "bad";
    return luhn(digits) ? "" : "checksum";
  },
  exp(value, now) {
    const [, month, year] = /^(0[1-9]|1[0-2])\/(\d\d)$/.exec(value) ?? [];
    if (!month || !year) return "bad";
    return now < goesPast(2000 + Number(year), Number(month)) ? "" : "past";
  },
  cvc: (value) => (/^\d{3,4}$/.test(value) ? "" : "bad"),
  // Without an address there is no mailed receipt (PAY-24).
  email: (value) => (value === "" || isEmail(value) ? "" : "bad"),
};

/** A card is valid until the end of its month, and one day longer, until that month has ended everywhere. */
function goesPast(year: number, month: number): number {
  return Date.UTC(year, month, 2);
}
