// @vitest-environment node
import { expect, test } from "vitest";
import { minor, price, wire } from "./money";

test.each([
  [0, "0.00", "$0.00"],
  [5, "0.05", "$0.05"],
  [1250, "12.50", "$12.50"],
  [100052, "1000.52", "$1,000.52"],
  [99999999, "999999.99", "$999,999.99"],
])("%i cents read %s on the wire and %s for people (POS-10)", (cents, onTheWire, forPeople) => {
  expect(wire(cents)).toBe(onTheWire);
  expect(price(cents, "$")).toBe(forPeople);
  expect(minor(onTheWire)).toBe(cents);
});

test("a price has the sign of its currency in front, as the server prints it", () => {
  expect(price(100052, "£")).toBe("£1,000.52");
  expect(price(1250, "CHF\u00a0")).toBe("CHF\u00a012.50");
});

test.each([undefined, null, 12, "", "12", "12.5", "-1.00", "1,000.00", "1e2"])("%s is not an amount", (text) => {
  expect(minor(text)).toBeUndefined();
});
