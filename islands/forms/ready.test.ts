import { afterEach, describe, expect, test } from "vitest";
import { isComplete } from "./ready";

function form(inner: string): HTMLFormElement {
  document.body.innerHTML = `<form>${inner}</form>`;
  return document.querySelector("form") as HTMLFormElement;
}

afterEach(() => document.body.replaceChildren());

describe("a step that lacks something it needs is not complete (FORM-14)", () => {
  test("a required field", () => {
    expect(isComplete(form('<input required value="">'))).toBe(false);
    expect(isComplete(form('<input required value="  ">'))).toBe(false);
    expect(isComplete(form('<input required value="A"><input value="">'))).toBe(true);
  });

  test("an address whose domain has a dot", () => {
    for (const [value, complete] of [
      ["a@b", false],
      ["a@b.co", true],
      ["", true],
    ] as const) {
      expect(isComplete(form(`<input type="email" value="${value}">`))).toBe(complete);
    }
  });

  test("at least one choice", () => {
    expect(isComplete(form('<fieldset data-required><input type="checkbox"></fieldset>'))).toBe(false);
    expect(isComplete(form('<fieldset data-required><input type="checkbox" checked></fieldset>'))).toBe(true);
  });
});

describe("the people behind the business (FORM-50)", () => {
  const row = (name: string, ...roles: string[]) =>
    `<fieldset class="row"><input name="name" value="${name}"><div class="roles">${["director", "shareholder"]
      .map((role) => `<input type="checkbox" name="${role}" ${roles.includes(role) ? "checked" : ""}>`)
      .join("")}</div></fieldset>`;
  const company = (...rows: string[]) =>
    `<div data-people="1" data-role="director" data-each-role>${rows.join("")}</div>`;

  test.each([
    ["nobody", company(), false],
    ["an empty row", company(row("")), false],
    ["a director", company(row("Ann", "director")), true],
    ["an empty row beside a director", company(row("Ann", "director"), row("")), true],
    ["no director", company(row("Ann", "shareholder")), false],
    ["somebody without a role", company(row("Ann", "director"), row("Bob")), false],
    ["a role without a name", company(row("Ann", "director"), row("", "shareholder")), false],
    ["one partner", `<div data-people="2" data-role="">${row("Ann")}</div>`, false],
    ["two partners", `<div data-people="2" data-role="">${row("Ann")}${row("Bob")}</div>`, true],
    ["nobody where nobody has to be", '<div data-people="0" data-role=""></div>', true],
  ])("%s", (_, inner, complete) => {
    expect(isComplete(form(inner))).toBe(complete);
  });
});
