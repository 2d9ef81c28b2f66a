import { PasswordDiffers, PasswordLong, PasswordShort } from "../props.gen";

/** The rules of a new password, the same as the server's: internal/people/account/testdata/passwords.json tests both. */
const kinds: readonly (readonly [string, RegExp])[] = [
  ["Uppercase", /\p{Lu}/u],
  ["Lowercase", /\p{Ll}/u],
  ["Number", /\p{Nd}/u],
  ["Special", /[^\p{L}\p{Nd}]/u],
];

const least = 8; // characters
const most = 1024; // bytes

/** What is wrong with a new password, and the field it concerns; "ok" if nothing is wrong. */
export type Verdict = "ok" | { readonly field: "password" | "confirm"; readonly message: string };

/** check returns the first thing that is wrong, in the order of the rules. */
export function check(password: string, confirm: string): Verdict {
  password = password.normalize(); // an é may be one character or two
  const missing = kinds.filter(([, kind]) => !kind.test(password)).map(([name]) => name);
  if (missing.length > 0) {
    return { field: "password", message: `Password requires at least ${missing.join(", ")} character` };
  }
  if ([...password].length < least) return { field: "password", message: PasswordShort };
  if (new TextEncoder().encode(password).length > most) return { field: "password", message: PasswordLong };
  if (password !== confirm.normalize()) return { field: "confirm", message: PasswordDiffers };
  return "ok";
}
