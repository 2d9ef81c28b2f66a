import { isEmail } from "../../email";
import { luhn } from "../luhn";

/** What a cancelled Apple Pay payment says, letter for letter (WALLET-27). */
export const appleCancelled = "Payment Cancelled.";

interface Rule {
  readonly message: string;
  /** holds is called only with texts that are not empty; required covers the empty ones. */
  holds(value: string): boolean;
}

/** Every rule that a field of a payment sheet can break, with its message. */
export const rules = {
  required: { message: "This field is required.", holds: (value) => value.trim() !== "" },
  email: { message: "Please enter a valid email address.", holds: isEmail },
  url: { message: "Please enter a valid URL.", holds: (value) => /^https?:\/\/[^\s/]+/i.test(value) },
  date: { message: "Please enter a valid date.", holds: (value) => !Number.isNaN(Date.parse(value)) },
  dateISO: {
    message: "Please enter a valid date (ISO).",
    holds: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
  },
  number: { message: "Please enter a valid number.", holds: (value) => /^-?\d+(\.\d+)?$/.test(value) },
  digits: { message: "Please enter only digits.", holds: (value) => /^\d+$/.test(value) },
  creditcard: { message: "Please enter a valid credit card number.", holds: hasChecksum },
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;

/** problemOf returns the message of the first rule that a value breaks, "" for none. An empty value breaks only required. */
export function problemOf(value: string, ...names: RuleName[]): string {
  for (const name of names) {
    if (name !== "required" && value === "") continue;
    if (!rules[name].holds(value)) return rules[name].message;
  }
  return "";
}

function hasChecksum(value: string): boolean {
  const digits = value.replace(/[ -]/g, "");
  return /^\d{12,20}$/.test(digits) && luhn(digits);
}
