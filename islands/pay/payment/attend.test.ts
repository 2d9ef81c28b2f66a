import { beforeEach, expect, test, vi } from "vitest";

const ring = vi.fn();
vi.mock("../../pos/kitchen/sound", () => ({ sound: () => ring }));

vi.mock("../../ui/push/tell", () => ({ offer: vi.fn() }));
vi.mock("./live", () => ({ listen: vi.fn() }));

let attend: typeof import("./attend").attend;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  document.body.replaceChildren();
  ({ attend } = await import("./attend"));
});

/** shows makes the page show a state, with so many places ready. */
function shows(state: string, ready = 0, title = ""): void {
  document.querySelector("#payment")?.remove();
  document.body.insertAdjacentHTML(
    "beforeend",
    `<section id="payment" data-state="${state}" data-title="${title}"><h1 tabindex="-1"></h1><p class="whose">No. 1 · <span>Table 4</span></p><button id="bell"></button>
    ${"<p class=ready></p>".repeat(ready)}</section>`,
  );
  attend({} as never);
}

test("the tab's title announces a ready order, and so does a sound if it is switched on", () => {
  document.title = "Paid · Panezski · Forecourt";
  ring.mockReset();
  shows("success", 0, "Paid");
  shows("status", 0, "Being made");
  expect(document.title).toBe("Being made · Panezski · Forecourt");
  expect(ring).not.toHaveBeenCalled();
  shows("status", 1, "✓ Ready: Bar");
  shows("status", 1, "✓ Ready: Bar");
  expect(document.title).toBe("✓ Ready: Bar · Panezski · Forecourt");
  expect(ring).toHaveBeenCalledTimes(1);
  shows("completed", 0, "✓ Ready");
  expect(ring).toHaveBeenCalledTimes(2);
});

const toast = () => document.querySelector(".toast[role=status]");

test("a toast shows when an order completes, for 5000 ms (PAY-39 PAY-40)", () => {
  shows("success");
  shows("status");
  expect(toast()).toBeNull();
  shows("completed");
  expect(toast()?.textContent).toBe("Order for Table 4 is ready");
  vi.advanceTimersByTime(4999);
  expect(toast()).not.toBeNull();
  shows("completed");
  vi.advanceTimersByTime(1);
  expect(toast()).toBeNull();
});

test("the focus moves to the heading when the order's end removes its button", () => {
  shows("status");
  document.querySelector<HTMLElement>("#bell")?.focus();
  shows("completed");
  expect(document.activeElement).toBe(document.querySelector("h1"));
});

test("a page that is opened when everything is done shows no toast (PAY-39)", () => {
  shows("completed");
  expect(toast()).toBeNull();
});

test("a refunded order is not ready (PAY-39)", () => {
  shows("success");
  shows("status");
  shows("refunded");
  expect(toast()).toBeNull();
});

test("a payment without an order shows nothing to wait for (PAY-39)", () => {
  shows("waiting");
  shows("completed");
  expect(toast()).toBeNull();
});
