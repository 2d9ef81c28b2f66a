import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Basket, Item } from "../../props.gen";
import { type BasketStore, createBasket } from "../basket/store";
import { takeFromAddress } from "./address";
import { wireMenu } from "./rows";

const items: Item[] = [
  { id: 12, name: "Latte", priceMinor: 450, picture: "", soldOut: false },
  { id: 15, name: "Tea", priceMinor: 375, picture: "", soldOut: false },
  { id: 16, name: "Cake", priceMinor: 600, picture: "", soldOut: true },
];

const menu: Basket = {
  shop: "panezski",
  live: true,
  sign: "£",
  table: "5",
  name: "",
  menuUrl: "/pos/panezski?t=5",
  orderUrl: "/pos/panezski/order?t=5",
  items,
};

/** The rows and the bar as the server renders them. */
const page = `
  <form id="menu" method="post" action="/pos/panezski">
    <ul>
      ${items
        .map(
          ({ id, name, soldOut }) => `
        <li class="item" data-item="${id}">
          ${
            soldOut
              ? "<p>Sold out</p>"
              : `<input type="hidden" name="qty.${id}" value="0">
          <div class="step">
            <button name="remove" value="${id}" aria-label="Remove ${name}"></button>
            <output>0</output>
            <button name="add" value="${id}" aria-label="Add ${name}"></button>
          </div>`
          }
        </li>`,
        )
        .join("")}
    </ul>
  </form>
  <div class="bar" data-count="0">
    <output data-basket="count">0 items</output>
    <output data-basket="total">£0.00</output>
    <button form="menu">View Order</button>
  </div>`;

let store: BasketStore;
const assign = vi.fn();

beforeEach(() => {
  localStorage.clear();
  document.body.replaceWith(document.createElement("body")); // this removes the listeners of the last test, too
  document.body.innerHTML = page;
  store = createBasket("panezski");
  assign.mockReset();
  vi.spyOn(location, "assign").mockImplementation(assign);
});

const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const press = (label: string) => find(`[aria-label="${label}"]`)?.click();
const shown = () => ({
  latte: find('[data-item="12"] output')?.textContent,
  sent: find('[name="qty.12"]')?.getAttribute("value"),
  count: find('[data-basket="count"]')?.textContent,
  total: find('[data-basket="total"]')?.textContent,
  bar: find(".bar")?.dataset.count,
});

test("Show of the allergens has a loader until the menu is there again (POS-26)", () => {
  document.body.insertAdjacentHTML("beforeend", `<details class="filter"><form><button>Show</button></form></details>`);
  wireMenu(document.body, store, menu);
  const show = document.querySelector<HTMLButtonElement>(".filter button");
  show?.form?.addEventListener("submit", (event) => event.preventDefault());
  show?.click();
  expect(show?.getAttribute("aria-busy")).toBe("true");
  dispatchEvent(new Event("pageshow"));
  expect(show?.hasAttribute("aria-busy")).toBe(false);
});

describe("the menu", () => {
  test("plus and minus change quantity, count and total in place (POS-09 POS-12)", () => {
    wireMenu(document.body, store, menu);
    press("Add Latte");
    press("Add Latte");
    press("Add Tea");
    expect(shown()).toEqual({ latte: "2", sent: "2", count: "3 items", total: "£12.75", bar: "3" });
    press("Remove Latte");
    press("Remove Tea");
    expect(shown()).toEqual({ latte: "1", sent: "1", count: "1 item", total: "£4.50", bar: "1" });
  });

  test("the keyboard's focus moves from a minus that has nothing left to take to plus", () => {
    wireMenu(document.body, store, menu);
    press("Add Latte");
    press("Add Latte");
    const minus = find('[aria-label="Remove Latte"]');
    minus?.focus();
    minus?.click();
    expect(document.activeElement).toBe(minus);
    minus?.click();
    expect(document.activeElement).toBe(find('[aria-label="Add Latte"]'));
  });

  test("minus at 0 stays at 0 (POS-14)", () => {
    wireMenu(document.body, store, menu);
    press("Remove Latte");
    expect(shown()).toEqual({ latte: "0", sent: "0", count: "0 items", total: "£0.00", bar: "0" });
  });

  test("a tap never posts the form", () => {
    wireMenu(document.body, store, menu);
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    find('[aria-label="Add Latte"]')?.dispatchEvent(click);
    expect(click.defaultPrevented).toBe(true);
  });

  test("earlier choices are there at once, and sold-out items cost nothing", () => {
    store.add("12", 2);
    store.add("16", 1);
    store.add("99", 1);
    wireMenu(document.body, store, menu);
    expect(shown()).toEqual({ latte: "2", sent: "2", count: "2 items", total: "£9.00", bar: "2" });
  });

  test("View Order is active only above a total of 0 (POS-13), and waits a second for the order view", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    wireMenu(document.body, store, menu);
    const button = find(".bar button");
    expect(button?.getAttribute("aria-disabled")).toBe("true");
    submit();
    expect(assign).not.toHaveBeenCalled();
    press("Add Latte");
    press("Add Tea");
    expect(button?.getAttribute("aria-disabled")).toBe("false");
    submit();
    submit();
    vi.advanceTimersByTime(999);
    expect(assign).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(assign).toHaveBeenCalledTimes(1);
    const { key, trx } = store.read();
    expect(assign).toHaveBeenCalledWith(expect.stringMatching(`/pos/panezski/order\\?t=5&b=12x1.15x1&k=${key}$`));
    expect(trx).toBe("*");
  });
});

function submit() {
  const event = new Event("submit", { bubbles: true, cancelable: true });
  find("#menu")?.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
}

test("the choice in an address without scripts counts once", () => {
  history.replaceState(null, "", "/pos/panezski?t=5&b=12x2.15x1&k=server-key");
  store.add("16", 1);
  store.ordered("*"); // a form posted it, so the address is this basket's own
  takeFromAddress(store);
  expect(store.read()).toMatchObject({ items: { "12": 2, "15": 1 }, key: "server-key" });
  expect(location.search).toBe("?t=5");
  store.add("12", 1);
  takeFromAddress(store);
  expect(store.read().items).toEqual({ "12": 3, "15": 1 });
});

describe("a friend's basket, when something else is chosen", () => {
  let question: HTMLDialogElement;

  beforeEach(() => {
    question = document.createElement("dialog");
    question.id = "shared";
    document.body.append(question);
    store.add("12", 1);
    store.add("16", 2);
    history.replaceState(null, "", "/pos/panezski?t=5&b=12x2.15x1&k=friend");
    takeFromAddress(store);
  });

  for (const [answer, items] of Object.entries({
    add: { "12": 3, "15": 1, "16": 2 },
    replace: { "12": 2, "15": 1 },
    "": { "12": 1, "16": 2 },
  })) {
    test(`leads to a question, and the answer "${answer}" is followed`, () => {
      expect(question.open).toBe(true);
      expect(store.read().items, "nothing happens unasked").toEqual({ "12": 1, "16": 2 });
      expect(location.search).toBe("?t=5");
      question.close(answer);
      expect(store.read().items).toEqual(items);
    });
  }
});

test("a guest's own basket leads to no question: the same choice, its key, its order, or nothing chosen yet", () => {
  document.body.insertAdjacentHTML("beforeend", '<dialog id="shared"></dialog>');
  const own: Record<string, () => void> = {
    "b=12x2": () => store.add("12", 2),
    "b=12x1&k=KEY": () => store.replace({ "12": 2 }, "KEY"),
    "b=12x1&o=TRX": () => {
      store.replace({ "12": 2 }, "");
      store.ordered("TRX");
    },
    "b=12x1": () => {},
  };
  for (const [query, choose] of Object.entries(own)) {
    localStorage.clear();
    store = createBasket("panezski");
    choose();
    history.replaceState(null, "", `/pos/panezski?${query}`);
    takeFromAddress(store);
    expect(document.querySelector<HTMLDialogElement>("#shared")?.open, query).toBe(false);
    expect(store.read().items, query).toEqual(query === "b=12x2" ? { "12": 2 } : { "12": 1 });
  }
});
