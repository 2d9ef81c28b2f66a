import { expect, test } from "vitest";
import { inAreas, read, write } from "./areas";

test.each([
  ["none", ""],
  ["without an area", "1-12, Window"],
  ["in areas", "Inside: 1-12, Window\nTerrace: 20-25"],
  ["with and without", "Bar\nTerrace: 20-25"],
])("tables are read and written alike: %s", (_, text) => {
  expect(write(read(text))).toBe(text);
});

test("rows write the text, and one is always free", () => {
  document.body.innerHTML = '<div class="field"><textarea id="tables">Inside: 1-4</textarea></div>';
  const text = document.querySelector("textarea") as HTMLTextAreaElement;
  inAreas(text);
  const type = (label: string, value: string) => {
    const input = document.querySelector<HTMLInputElement>(`[aria-label="${label}"]`);
    if (!input) throw new Error(`no ${label}`);
    input.value = value;
    input.dispatchEvent(new Event("input"));
  };
  type("Area, row 2", "Terrace");
  type("Tables, row 2", "20-25");
  type("Tables, row 1", "1-6");
  expect(text.value).toBe("Inside: 1-6\nTerrace: 20-25");
  type("Tables, row 3", "Bar");
  expect(text.value).toBe("Inside: 1-6\nTerrace: 20-25\nBar");
});
