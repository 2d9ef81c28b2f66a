import { expect, test, vi } from "vitest";
import "../pay";
import { showOutcome } from "./outcome";

test("the tab's title says the outcome of a payment, even if there is nothing more to follow", async () => {
  document.title = "Payment · Panezski · Forecourt";
  document.body.innerHTML = '<section id="payment" data-state="form" data-title="Payment"></section>';
  const answer =
    '<section id="payment" data-state="failure" data-title="Payment unsuccessful"><h1 tabindex="-1"></h1></section>';
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(answer)));
  expect(await showOutcome("/pos/panezski/T")).toBe(true);
  expect(document.title).toBe("Payment unsuccessful · Panezski · Forecourt");
});
