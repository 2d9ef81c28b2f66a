import { expect, test, vi } from "vitest";
import { firstUse } from "./first-use";

test("a form that the browser fills in counts as used", () => {
  const used = vi.fn();
  firstUse(used);
  document.body.innerHTML = "<input>";
  expect(used).not.toHaveBeenCalled();
  document.querySelector("input")?.dispatchEvent(new Event("input", { bubbles: true }));
  expect(used).toHaveBeenCalledOnce();
});
