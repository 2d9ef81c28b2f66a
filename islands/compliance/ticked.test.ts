import { beforeEach, expect, test } from "vitest";
import { tellTicked } from "./ticked";

beforeEach(() => {
  document.body.innerHTML = `<form><input type="checkbox" name="acknowledged">
    <button data-ticked="Next" data-not-ticked="Please tick the box to acknowledge">Next</button></form>`;
});

test("the button follows the box (COMPL-10 COMPL-11)", () => {
  const box = document.querySelector("input") as HTMLInputElement;
  const button = document.querySelector("button") as HTMLButtonElement;
  for (const ticked of [false, true, false]) {
    box.checked = ticked;
    tellTicked();
    expect(button.disabled).toBe(!ticked);
    expect(button.textContent).toBe(ticked ? "Next" : "Please tick the box to acknowledge");
  }
});
