import { afterEach, expect, test, vi } from "vitest";
import { showOutcome } from "./outcome";

vi.useFakeTimers(); // before the page counts
await import("../pay");
afterEach(() => vi.restoreAllMocks());

/** shows makes the page show a state, and the server the next one. */
function shows(state: string, next: string) {
  document.body.innerHTML = `<section id="payment" data-state="${state}"></section>`;
  const fetched = vi.fn(
    async () => new Response(`<section id="payment" data-state="${next}"><h1 tabindex="-1"></h1></section>`),
  );
  vi.stubGlobal("fetch", fetched);
  return fetched;
}
const state = () => document.querySelector<HTMLElement>("#payment")?.dataset.state;

test.each(["form", "failure", "unavailable"])(
  "a window that shows %s shows within 10 s that another window or device has paid, without a touch",
  async (before) => {
    shows(before, "success");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(state()).toBe("success");
  },
);

test("a window that is hidden, pays itself or shows an end does not ask", async () => {
  const asked = [shows("completed", "refunded")];
  await vi.advanceTimersByTimeAsync(60_000);
  asked.push(shows("form", "success"));
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.restoreAllMocks();
  document.querySelector("#payment")?.appendChild(document.createElement("form")).setAttribute("aria-busy", "true");
  await vi.advanceTimersByTimeAsync(60_000);
  for (const fetched of asked) expect(fetched).not.toHaveBeenCalled();
});

test("what is typed into a form stays while nothing was paid", async () => {
  const fetched = shows("form", "form");
  const typing = document.querySelector("#payment")?.appendChild(document.createElement("input"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetched).toHaveBeenCalledTimes(6);
  expect(typing?.isConnected).toBe(true);
});

test("the tab's title says the outcome of a payment, even if there is nothing more to follow", async () => {
  document.title = "Payment · Panezski · Forecourt";
  document.body.innerHTML = '<section id="payment" data-state="form" data-title="Payment"></section>';
  const answer =
    '<section id="payment" data-state="failure" data-title="Payment unsuccessful"><h1 tabindex="-1"></h1></section>';
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(answer)));
  expect(await showOutcome("/pos/panezski/T")).toBe(true);
  expect(document.title).toBe("Payment unsuccessful · Panezski · Forecourt");
});
