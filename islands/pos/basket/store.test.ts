import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type BasketStore, createBasket } from "./store";

const place = "forecourt.basket.panezski";
const hour = 60 * 60 * 1000;

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

/** later opens the same basket on the next page. */
function later(now = Date.now()): BasketStore {
  return createBasket("panezski", () => now);
}

describe("quantities", () => {
  test("a quantity stays within 0 and 99 (POS-14)", () => {
    const store = later();
    store.add("1", -1);
    expect(store.read().items).toEqual({});
    store.add("1", 1);
    store.add("1", 200);
    expect(store.read().items).toEqual({ "1": 99 });
    store.add("1", -99);
    expect(store.read().items).toEqual({});
  });

  test("the draft is kept for the next page, for this business alone (POS-32)", () => {
    const store = later();
    store.seat("5");
    store.rename("Ann");
    store.add("1", 2);
    expect(store.read()).toMatchObject({ items: { "1": 2 }, name: "Ann", table: "5" });
    expect(later().read()).toEqual(store.read());
    expect(createBasket("sabona").read().items).toEqual({});
  });

  test("the draft is forgotten after 12 hours", () => {
    createBasket("panezski", () => 0).add("1", 2);
    expect(later(12 * hour - 1).read().items).toEqual({ "1": 2 });
    expect(later(12 * hour).read().items).toEqual({});
  });
});

describe("the key", () => {
  test("stays the same while the basket does, and is 128 random bits", () => {
    const store = later();
    store.add("1", 1);
    const { key } = store.read();
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    store.ordered("trx-1");
    store.add("2", -1);
    store.rename("");
    store.seat("");
    expect(later().read()).toMatchObject({ key, trx: "trx-1" });
  });

  test.each<[string, (store: BasketStore) => void]>([
    ["a quantity", (store) => store.add("1", 1)],
    ["the name", (store) => store.rename("Ann")],
    ["the table", (store) => store.seat("5")],
    ["a renewal", (store) => store.renew()],
  ])("changes with %s, and so does the order", (_, edit) => {
    const store = later();
    store.add("1", 1);
    store.ordered("trx-1");
    const { key } = store.read();
    edit(store);
    expect(store.read().key).not.toBe(key);
    expect(store.read().trx).toBe("");
  });

  test("comes from the address if the server made it", () => {
    const store = later();
    store.replace({ "1": 2, "2": 0, "3": 500 }, "server-key");
    expect(store.read()).toMatchObject({ items: { "1": 2, "3": 99 }, key: "server-key" });
    store.replace({ "1": 2, "3": 99 }, "");
    expect(store.read().key).toBe("server-key");
  });
});

describe("after paying", () => {
  test("the basket of that transaction is forgotten", () => {
    const store = later();
    store.add("1", 1);
    store.rename("Ann");
    store.ordered("trx-1");
    store.paid("trx-1");
    expect(later().read()).toMatchObject({ items: {}, name: "", trx: "" });
  });

  test("a basket that was posted as a form is forgotten after any payment", () => {
    const store = later();
    store.add("1", 1);
    store.ordered("*");
    store.paid("trx-9");
    expect(store.read().items).toEqual({});
  });

  test("a basket that has changed since, or was never ordered, stays", () => {
    const store = later();
    store.add("1", 1);
    store.paid("trx-1");
    store.ordered("trx-1");
    store.add("1", 1);
    store.paid("trx-1");
    expect(store.read().items).toEqual({ "1": 2 });
  });

  test("after a transaction lapsed the basket can be ordered again", () => {
    const store = later();
    store.add("1", 1);
    store.ordered("trx-1");
    const { key } = store.read();
    store.lapsed("trx-1");
    expect(store.read().items).toEqual({ "1": 1 });
    expect(store.read().key).not.toBe(key);
  });
});

describe("storage", () => {
  test.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["no key", JSON.stringify({ items: { "1": 1 }, at: Date.now() })],
    ["no date", JSON.stringify({ items: { "1": 1 }, key: "k", at: "today" })],
  ])("that holds %s is an empty basket", (_, content) => {
    localStorage.setItem(place, content);
    const store = later();
    expect(store.read().items).toEqual({});
    store.add("1", 1);
    expect(later().read().items).toEqual({ "1": 1 });
  });

  test("with impossible quantities loses only those", () => {
    const items = { "1": 2, "2": -1, "3": 1.5, "4": "5", "5": 1000, "6": null };
    localStorage.setItem(place, JSON.stringify({ items, key: "k", at: Date.now() }));
    expect(later().read()).toMatchObject({ items: { "1": 2, "5": 99 }, key: "k", name: "", table: "", trx: "" });
  });

  test("that is forbidden keeps the basket only as long as the page", () => {
    vi.stubGlobal("localStorage", {
      getItem: () => {
        throw new DOMException("denied", "SecurityError");
      },
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    });
    const store = later();
    store.add("1", 3);
    expect(store.read().items).toEqual({ "1": 3 });
  });

  test("that another tab changed shows at once", () => {
    const here = later();
    const heard = vi.fn();
    const stop = here.subscribe(heard);
    const there = later();
    there.add("7", 2);
    dispatchEvent(new StorageEvent("storage", { key: "something else" }));
    expect(heard).not.toHaveBeenCalled();
    dispatchEvent(new StorageEvent("storage", { key: place }));
    expect(heard).toHaveBeenCalledTimes(1);
    expect(here.read()).toEqual(there.read());
    stop();
    dispatchEvent(new StorageEvent("storage", { key: place }));
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test("a page that the browser kept alive loads again, because it missed later changes", () => {
    const reload = vi.spyOn(location, "reload").mockImplementation(() => {});
    later();
    dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
    expect(reload).not.toHaveBeenCalled();
    dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    expect(reload).toHaveBeenCalled();
  });
});
