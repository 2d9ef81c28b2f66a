// @vitest-environment node
import { describe, expect, test } from "vitest";
import { type Edit, editCard, editCVC, editExpiry, type RawEdit } from "./format";

/** type enters text key by key at the end. */
function type(edit: (raw: RawEdit) => Edit, text: string): string {
  return [...text].reduce((before, key) => edit({ raw: before + key, caret: before.length + 1 }).value, "");
}

/** at makes an edit that left "12|34", where the bar is the caret. */
function at(after: string, deleted?: "left" | "right"): RawEdit {
  return { raw: after.replace("|", ""), caret: after.indexOf("|"), deleted };
}

function marked({ value, caret }: Edit): string {
  return `${value.slice(0, caret)}|${value.slice(caret)}`;
}

describe("card number", () => {
  test.each([
    ["digits only (PAY-18)", "4a1", "41"],
    ["grouped by 4 (PAY-20)", "12345678", "1234 5678"],
    ["no space before a digit follows", "1234", "1234"],
    ["20 digits are kept (PAY-19)", "1234567890123456789012345", "1234 5678 9012 3456 7890"],
  ])("%s", (_, typed, value) => expect(type(editCard, typed)).toBe(value));

  test.each([
    "4111-1111 1111 1111",
    "4111111111111111",
    " 4111  1111-1111-1111 ",
    "４１１１１１１１１１１１１１１１",
    "٤١١١ ١١١١ ١١١١ ١١١١",
    "\u202d4111\u200b1111.11111111",
  ])("%s can be pasted", (raw) => {
    expect(editCard({ raw, caret: raw.length }).value).toBe("4111 1111 1111 1111");
  });

  test.each<[string, RawEdit, string]>([
    ["a digit in the middle", at("1299|34 5678"), "1299| 3456 78"],
    ["a digit at the end of a group", at("1234| 5678"), "1234| 5678"],
    ["backspace in the middle", at("1|34 5678", "left"), "1|345 678"],
    ["backspace over a space", at("1234|5678", "left"), "1234| 5678"],
    ["Delete over a space", at("1234|5678", "right"), "1234 |5678"],
    ["a letter", at("12x|34 5678"), "12|34 5678"],
  ])("the caret stays after %s", (_, raw, result) => expect(marked(editCard(raw))).toBe(result));
});

describe("expiry", () => {
  test.each([
    ["digits only, at most 5 characters (PAY-21)", "1a2/301", "12/30"],
    ["a slash after 2 digits (PAY-22)", "1230", "12/30"],
    ["a month of one digit", "430", "04/30"],
    ["a month of one digit with a slash", "1/30", "01/30"],
    ["a month with a slash", "01/30", "01/30"],
    ["a year of four digits", "12/2031", "12/31"],
    ["a year of four digits without a slash", "122031", "12/31"],
    ["a year of four digits after a space", "12 2031", "12/31"],
    ["a month of one digit before a year of four", "4/2031", "04/31"],
    ["a month of one digit, 1, before a year of four", "1/2031", "01/31"],
    ["a year of four digits that is not whole", "12/203", "12/203"],
    ["digits of another script", "١٢٢٠٣١", "12/31"],
    ["one digit too many", "12/312", "12/31"],
  ])("%s", (_, typed, value) => expect(type(editExpiry, typed)).toBe(value));

  test.each([
    ["10/2030", "10/30"],
    ["1/2030", "01/30"],
    ["102030", "10/30"],
    ["1030", "10/30"],
    ["10 / 30", "10/30"],
    ["10-30", "10/30"],
    ["2030-10", "10/30"],
    ["2030-1", "01/30"],
    ["exp 12/2031", "12/31"],
    ["Exp.: 12/31", "12/31"],
    ["\u202d12/2031\u202c", "12/31"],
    ["\u200b12/31", "12/31"],
    ["12\u20132031", "12/31"],
    ["１２／３１", "12/31"],
    ["12\u202f/\u202f2031", "12/31"],
  ])("%s can be pasted or filled in", (raw, value) => {
    expect(editExpiry({ raw, caret: raw.length }).value).toBe(value);
  });

  test.each<[string, RawEdit, string]>([
    ["backspace at the end", at("12/|", "left"), "12|"],
    ["backspace over the slash", at("12|", "left"), "12|"],
    ["backspace over the slash in the middle", at("12|30", "left"), "12|/30"],
    ["backspace in the month", at("1|/30", "left"), "1|3/0"],
    ["Delete over the slash", at("12|30", "right"), "12/|30"],
    ["a digit after the slash", at("12/34|"), "12/34|"],
    ["the second digit", at("12|"), "12/|"],
  ])("the caret stays after %s", (_, raw, result) => expect(marked(editExpiry(raw))).toBe(result));
});

test("the CVC is digits, at most 4 (PAY-23)", () => {
  expect(type(editCVC, "1a2345")).toBe("1234");
});
