/** Makes the keys that sign a payment, as internal/site/keys does; internal/site/keys/testdata/vectors.json tests both. */

export type Hash = "sha1" | "sha256";

/** Input is what a key is made from, as typed. */
export interface Input {
  readonly currency: string;
  readonly amount: string;
  readonly reference: string;
  readonly secret: string;
}

/** Part is a piece of the hashed text and its kind. */
export interface Part {
  readonly name: string;
  readonly text: string;
}

/** canHash is false on plain http from another computer, where browsers do not hash. */
export const canHash = () => globalThis.crypto?.subtle !== undefined;

export function partsOf({ currency, amount, reference, secret }: Input): Part[] {
  return [
    { name: "currency", text: currencyOf(currency) },
    { name: "amount", text: amountOf(amount) },
    { name: "reference", text: reference },
    { name: "secret", text: secret },
  ];
}

export const join = (parts: readonly Part[]) => parts.map((part) => part.text).join("");

/** digest hashes a text, encoded as UTF-8. */
export async function digest(hash: Hash, text: string): Promise<Uint8Array> {
  const name = hash === "sha1" ? "SHA-1" : "SHA-256";
  return new Uint8Array(await crypto.subtle.digest(name, new TextEncoder().encode(text)));
}

export async function sum(hash: Hash, text: string): Promise<string> {
  return hex(await digest(hash, text));
}

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** currencyOf turns a to z into capitals and keeps everything else (HPS-05). */
export const currencyOf = (typed: string) => typed.replace(/[a-z]/g, (letter) => letter.toUpperCase());

/** amountOf rounds an amount to two decimals by its digits; "0.00" if it is not a number (HPS-06, KEYGEN-09). */
export function amountOf(typed: string): string {
  const [, sign, whole = "", cents = ""] = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(trim(typed)) ?? [];
  if (sign === undefined || whole + cents === "") return "0.00";
  const digits = [...(whole + `${cents}000`.slice(0, 3))].map(Number);
  let up = (digits.pop() ?? 0) >= 5;
  for (let i = digits.length - 1; up && i >= 0; i--) {
    up = digits[i] === 9;
    digits[i] = up ? 0 : (digits[i] ?? 0) + 1;
  }
  const text = (up ? "1" : "") + digits.join("");
  const fixed = `${text.slice(0, -2).replace(/^0+/, "") || "0"}.${text.slice(-2)}`;
  return fixed === "0.00" || sign !== "-" ? fixed : `-${fixed}`;
}

/** trim removes the space that a keyboard or a file adds; other kinds of space belong to the text. */
export const trim = (text: string) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");

/** equal compares in constant time. */
export function equal(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
