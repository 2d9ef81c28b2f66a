// @vitest-environment node
import { describe, expect, test } from "vitest";
import { type Card, check, type FieldName } from "./check";

const good: Card = { name: "Ann Lee", card: "4111 1111 1111 1111", exp: "12/30", cvc: "123", email: "a@b.co" };
/** The server's messages, which come with the form. */
const words = {
  "name missing": "Enter the name on the card",
  "card missing": "Enter the card number",
  "card bad": "A card number has 12 to 20 digits",
  "card checksum": "That is not a valid card number",
  "exp missing": "Enter the expiry date",
  "exp bad": "Enter the expiry date as MM/YY",
  "exp past": "This card has expired: check the expiry date",
  "cvc missing": "Enter the CVC",
  "cvc bad": "The CVC has 3 or 4 digits",
  "email bad": "Invalid email",
};
const now = Date.UTC(2026, 5, 1);

test("a correct card has no problems", () => expect(check(good, words, now)).toEqual({}));

describe("problems are reported by field", () => {
  test.each<[FieldName, string, string]>([
    ["name", " ", "Enter the name on the card"],
    ["card", "", "Enter the card number"],
    ["card", "4111 1111 111", "A card number has 12 to 20 digits"],
    ["card", "4111 1111 1111 1112", "That is not a valid card number"],
    ["card", "0000 0000 0000 0000", "That is not a valid card number"],
    ["exp", "", "Enter the expiry date"],
    ["exp", "1", "Enter the expiry date as MM/YY"],
    ["exp", "13/30", "Enter the expiry date as MM/YY"],
    ["exp", "05/26", ""],
    ["exp", "04/26", "This card has expired: check the expiry date"],
    ["cvc", "", "Enter the CVC"],
    ["cvc", "12", "The CVC has 3 or 4 digits"],
    ["cvc", "1234", ""],
    ["email", "x", "Invalid email"],
    ["email", "a@b", "Invalid email"],
    ["email", "a b@c.co", "Invalid email"],
    ["email", "a@b.", "Invalid email"],
    ["email", "a@b.co", ""],
    ["email", "", ""],
  ])("%s %j: %j (PAY-24)", (field, value, problem) => {
    expect(check({ ...good, [field]: value }, words, now)[field] ?? "").toBe(problem);
  });
});

test("a card is valid until its month is over everywhere on earth", () => {
  expect(check({ ...good, exp: "12/30" }, words, Date.UTC(2031, 0, 1, 23, 59))).toEqual({});
  expect(check({ ...good, exp: "12/30" }, words, Date.UTC(2031, 0, 2))).toEqual({
    exp: "This card has expired: check the expiry date",
  });
});
