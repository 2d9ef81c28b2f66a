// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { check } from "./password";

interface Vector {
  readonly name: string;
  readonly password: string;
  readonly confirm: string;
  readonly message: string;
}

const vectors = JSON.parse(readFileSync("internal/people/account/testdata/passwords.json", "utf8")) as Vector[];

test.each(vectors)("$name", ({ password, confirm, message }) => {
  const verdict = check(password, confirm);
  expect(verdict === "ok" ? "ok" : verdict.message).toBe(message);
});

test("a password that is too long to hash", () => {
  const password = `Aa1!${"é".repeat(511)}`;
  expect(check(password, password)).toEqual({ field: "password", message: "Use at most 1,000 characters." });
});
