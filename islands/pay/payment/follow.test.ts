import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { basketOf } from "../../pos/basket/store";
import { follow } from "./follow";
import { isWeb } from "./outcome";

let shops = 0;
const assign = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  assign.mockReset();
  vi.spyOn(location, "assign").mockImplementation(assign);
});
afterEach(() => vi.useRealTimers());

/** page shows a payment in a state, at a business where a basket became trx-1. */
function page(state: string, trx = "trx-1", content = "") {
  const code = `shop-${++shops}`;
  const store = basketOf(code);
  store.add("1", 1);
  store.ordered("trx-1");
  document.body.innerHTML = `<section id="payment" data-state="${state}" data-shop="${code}" data-trx="${trx}">${content}</section>`;
  const { key } = store.read();
  follow(document);
  return { forgotten: store.read().items["1"] === undefined, renewed: store.read().key !== key };
}

describe("the basket", () => {
  test.each(["success", "status", "completed", "refunded"])(
    "is forgotten when its transaction is paid: %s",
    (state) => {
      expect(page(state).forgotten).toBe(true);
    },
  );

  test.each(["form", "waiting", "failure", "text"])("does not change before its transaction is paid: %s", (state) => {
    expect(page(state)).toEqual({ forgotten: false, renewed: false });
  });

  test("becomes another order when its transaction expired", () => {
    expect(page("expired")).toEqual({ forgotten: false, renewed: true });
  });

  test("does not change with another transaction, or the demo's", () => {
    expect(page("success", "trx-2").forgotten).toBe(false);
    const store = basketOf("with-a-form");
    store.add("1", 1);
    store.ordered("*");
    document.body.innerHTML =
      '<section id="payment" data-state="success" data-shop="with-a-form" data-trx="demo"></section>';
    follow(document);
    expect(store.read().items).toEqual({ "1": 1 });
  });
});

describe("a redirect after success", () => {
  test("is followed after 1 s", () => {
    page("success", "trx-1", '<a data-redirect href="https://shop.test/thanks">Continue</a>');
    vi.advanceTimersByTime(999);
    expect(assign).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(assign).toHaveBeenCalledWith("https://shop.test/thanks");
  });

  test("leads only to web addresses", () => {
    page("success", "trx-1", '<a data-redirect href="javascript:alert(1)">Continue</a>');
    vi.runAllTimers();
    expect(assign).not.toHaveBeenCalled();
    expect(["https://a.test/", "HTTP://a.test"].every(isWeb)).toBe(true);
    expect(["javascript:alert(1)", "data:text/html,x", "//a.test", "/a", ""].some(isWeb)).toBe(false);
  });
});

test("a page without a payment is left alone", () => {
  document.body.innerHTML = "<p>No such transaction</p>";
  expect(() => follow(document)).not.toThrow();
});
