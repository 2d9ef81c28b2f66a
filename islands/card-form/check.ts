import luhn from "card-validator/dist/luhn-10.js";
import { isEmail } from "../email";
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
export const fieldNames: readonly FieldName[] = ["name", "card", "exp", "cvc", "email"];

/** check says what is wrong with a card, with the rules of the server; it is empty when all is well. */
export function check(card: Card, now = Date.now()): Problems {
  const problems: Partial<Record<FieldName, string>> = {};
  for (const name of fieldNames) {
    const problem = rules[name](card[name].trim(), now);
    if (problem) problems[name] = problem;
  }
  return problems;
}

const rules: Record<FieldName, (value: string, now: number) => string> = {
  name: (value) => (value ? "" : "Enter the name on the card"),
  card(value) {
    const digits = digitsOf(value);
    if (digits === "") return "Enter the card number";
    if (digits.length < 12) return "A card number has 12 to 20 digits";
    return luhn(digits) && /[1-9]/.test(digits) ? "" : "That is not a valid card number. Please check the digits";
  },
  exp(value, now) {
    if (value === "") return "Enter the expiry date";
    const [, month, year] = /^(0[1-9]|1[0-2])\/(\d\d)$/.exec(value) ?? [];
    if (!month || !year) return "Enter the expiry date as MM/YY";
    return now < goesPast(2000 + Number(year), Number(month)) ? "" : "This card has expired";
  },
  cvc: (value) => (/^\d{3,4}$/.test(value) ? "" : value ? "The CVC has 3 or 4 digits" : "Enter the CVC"),
  // No address, no receipt (PAY-24).
  email: (value) => (value === "" || isEmail(value) ? "" : "Invalid email"),
};

/** A card is good to the end of its month; a day more, until that is over everywhere on earth. */
function goesPast(year: number, month: number): number {
  return Date.UTC(year, month, 2);
}
