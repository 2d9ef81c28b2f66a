import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Told } from "./told";

afterEach(cleanup);

test("the card form is disabled while a wallet pays", () => {
  const form = document.createElement("fc-card-form");
  document.body.append(form);
  const { rerender } = render(<Told busy="Processing…" problem="" note="" />);
  expect(form.hasAttribute("inert")).toBe(true);
  rerender(<Told busy="" problem="Declined." note="" />);
  expect(form.hasAttribute("inert")).toBe(false);
});
