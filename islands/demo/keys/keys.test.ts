// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { diagnose } from "./diagnose";
import { amountOf, equal, type Hash, type Input, join, partsOf, sum } from "./keys";

interface Vectors {
  texts: { text: string; sha1: string; sha256: string }[];
  amounts: { typed: string; fixed: string }[];
  keys: (Input & { preimage: string; sha1: string; sha256: string })[];
  diagnoses: (Input & { name: string; hash: Hash; key: string; mistakes: string[] })[];
}

const vectors = JSON.parse(readFileSync("internal/site/keys/testdata/vectors.json", "utf8")) as Vectors;

test("the hashes match the shared vectors (KEYGEN-02 KEYGEN-03)", async () => {
  expect(vectors.texts.length).toBeGreaterThan(3);
  for (const { text, sha1, sha256 } of vectors.texts) {
    expect([await sum("sha1", text), await sum("sha256", text)], text).toEqual([sha1, sha256]);
  }
});

test("amounts are fixed to two decimals (HPS-06 KEYGEN-09 CONST-01)", () => {
  expect(vectors.amounts.length).toBeGreaterThan(20);
  for (const { typed, fixed } of vectors.amounts) expect(amountOf(typed), JSON.stringify(typed)).toBe(fixed);
});

test("the keys match the shared vectors (HPS-04 HPS-05 KEYGEN-05)", async () => {
  expect(vectors.keys.length).toBeGreaterThan(3);
  for (const { preimage, sha1, sha256, ...input } of vectors.keys) {
    const text = join(partsOf(input));
    expect([text, await sum("sha1", text), await sum("sha256", text)]).toEqual([preimage, sha1, sha256]);
  }
});

test("a wrong key is explained as on the server", async () => {
  expect(vectors.diagnoses.length).toBeGreaterThan(20);
  for (const { name, hash, key, mistakes, ...input } of vectors.diagnoses) {
    expect(await diagnose(hash, input, key), name).toEqual(mistakes);
  }
});

test("equal compares whole texts", () => {
  expect(equal("abc", "abc")).toBe(true);
  expect(equal("abc", "abd")).toBe(false);
  expect(equal("abc", "ab")).toBe(false);
});
