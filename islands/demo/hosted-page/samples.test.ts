// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { write } from "./samples";

const { url, fields, written } = JSON.parse(readFileSync("handlers/demo/testdata/samples.json", "utf8")) as {
  url: string;
  fields: [string, string][];
  written: Record<string, string>;
};

const quotes: Record<string, string> = { curl: "shell", php: "php" };

test.each(Object.keys(written))("the %s sample quotes typed values as the server does", (id) => {
  const [head = "", line = "", tail = ""] = readFileSync(`handlers/demo/samples/${id}.txt`, "utf8").split("---\n");
  expect(write({ id, name: id, quote: quotes[id] ?? "json", head, line, tail }, url, fields)).toBe(written[id]);
});
