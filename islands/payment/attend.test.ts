import { beforeEach, expect, test, vi } from "vitest";

vi.mock("../push/tell", () => ({ offer: vi.fn() }));
vi.mock("./live", () => ({ listen: vi.fn() }));

let attend: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  ({ attend } = await import("./attend"));
});

/** shows lets the page show a state. */
function shows(state: string): void {
  document.querySelector("#payment")?.remove();
  document.body.insertAdjacentHTML("beforeend", `<section id="payment" data-state="${state}"></section>`);
  attend();
}

const toast = () => document.querySelector(".toast[role=status]");

test("PAY-39 PAY-40 a toast shows when an order completes, for 5000 ms", () => {
  shows("success");
  shows("status");
  expect(toast()).toBeNull();
  shows("completed");
  expect(toast()?.textContent).toContain("ready");
  vi.advanceTimersByTime(4999);
  expect(toast()).not.toBeNull();
  shows("completed");
  vi.advanceTimersByTime(1);
  expect(toast()).toBeNull();
});

test("PAY-39 a page that is opened when all is done shows none", () => {
  shows("completed");
  expect(toast()).toBeNull();
});

test("PAY-39 an order that was refunded is not ready", () => {
  shows("success");
  shows("status");
  shows("refunded");
  expect(toast()).toBeNull();
});

test("PAY-39 a payment without an order is nothing to wait for", () => {
  shows("waiting");
  shows("completed");
  expect(toast()).toBeNull();
});
