import { act, cleanup, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Basket as Props } from "../../props.gen";
import { basketOf } from "../basket/store";
import OrderBasket from ".";

configure({ asyncUtilTimeout: 10_000 }); // a busy machine takes longer than one second

const items = [
  { id: 12, name: "Latte", priceMinor: 450, picture: "/latte.svg", soldOut: false },
  { id: 15, name: "Tea", priceMinor: 375, picture: "/tea.svg", soldOut: false },
];

let shops = 0;
const requests: { key: string | null; body: Record<string, unknown> }[] = [];
const assign = vi.fn();

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, "", "/pos/panezski");
  requests.length = 0;
  assign.mockReset();
  vi.spyOn(location, "assign").mockImplementation(assign);
});
afterEach(cleanup);

/** The bar of the menu as the server renders it. */
const bar = `
  <div class="bar" data-count="0">
    <output data-basket="count">0 items</output> <output data-basket="total">$0.00</output> <button>View Order</button>
  </div>`;

/** open renders the basket of a new business, with two lattes and a tea in it. */
function open(props: Partial<Props> = {}) {
  const code = `shop-${++shops}`;
  const store = basketOf(code);
  store.add("12", 2);
  store.add("15", 1);
  const shop = { shop: code, live: true, sign: "$", table: "", name: "", menuUrl: "", orderUrl: "" };
  const all: Props = { ...shop, items, ...props };
  document.body.innerHTML = bar;
  render(<OrderBasket props={all} />);
  return { user: userEvent.setup(), store, code };
}

/** answer sets the server's answers to the next requests, one after another; "broken" is a lost connection. */
function answer(...answers: ([number, unknown] | "broken")[]) {
  vi.stubGlobal("fetch", async (_: string, request: RequestInit) => {
    requests.push({
      key: new Headers(request.headers).get("Idempotency-Key"),
      body: JSON.parse(String(request.body ?? "{}")) as Record<string, unknown>,
    });
    const next = answers.shift();
    if (!next) throw new Error("one request too many");
    if (next === "broken") throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify(next[1]), { status: next[0] });
  });
}

const button = (name: string) => screen.getByRole("button", { name });
const dialog = () => document.querySelector("dialog") as HTMLDialogElement;
const order = () => within(dialog());

describe("the bar", () => {
  test("shows count and total (POS-12)", () => {
    open({ table: "5" });
    expect(screen.getByText("3 items")).toBeDefined();
    expect(screen.getAllByText("$12.75")[0]).toBeDefined();
  });

  test("View Order opens the order, and is inactive at a total of 0 (POS-13)", async () => {
    const { user, store } = open();
    await user.click(button("View Order"));
    expect(dialog().open).toBe(true);
    await user.click(order().getByRole("button", { name: "Close" }));
    await waitFor(() => expect(dialog().open).toBe(false));
    store.add("12", -2);
    store.add("15", -1);
    await waitFor(() => expect(button("View Order").getAttribute("aria-disabled")).toBe("true"));
    await user.click(button("View Order"));
    expect(dialog().open).toBe(false);
  });
});

describe("the order view", () => {
  test("has lines with minus and plus, and the total (POS-15 POS-16)", async () => {
    const { user, store } = open({ sign: "£" });
    await user.click(button("View Order"));
    await user.click(order().getByRole("button", { name: "Add Latte" }));
    await user.click(order().getByRole("button", { name: "Remove Tea" }));
    expect(store.read().items).toEqual({ "12": 3 });
    expect(order().queryByText("Tea")).toBeNull();
    expect(order().getAllByText("£13.50")).toHaveLength(2);
    expect(document.querySelector(".bar")?.textContent).toContain("£13.50");
  });

  test("the focus moves to the title when the line of a pressed button disappears", async () => {
    const { user } = open();
    await user.click(button("View Order"));
    for (const remove of ["Remove Tea", "Remove Latte", "Remove Latte"]) {
      order().getByRole("button", { name: remove }).focus();
      await user.keyboard("{Enter}");
      expect(dialog().contains(document.activeElement)).toBe(true);
    }
    expect(document.activeElement).toBe(order().getByRole("heading", { name: "Your order" }));
    expect(order().getByText("Nothing chosen yet. Choose something from the menu, and it appears here.")).toBeDefined();
    expect(order().queryByRole("button", { name: "Add more items" })).toBeNull();
    await user.click(order().getByRole("button", { name: "Back to the menu" }));
    await waitFor(() => expect(dialog().open).toBe(false));
  });

  test("going back leads to no fragment, which the browser would scroll to", async () => {
    history.replaceState(null, "", "/pos/panezski?t=5#c2");
    const { user } = open();
    await user.click(button("View Order"));
    expect(location.search + location.hash).toBe("?t=5");
  });

  test("names the table and asks for no name (POS-17)", async () => {
    const { user } = open({ table: "5" });
    await user.click(button("View Order"));
    expect(order().getByText(/^Table/).textContent).toBe("Table 5");
    expect(order().queryByLabelText("Please provide a name for the order")).toBeNull();
  });

  test("a mistyped table is asked for again at once, and the table before is kept", () => {
    history.replaceState(null, "", "/pos/panezski?t=77&at=5");
    open({ table: "5", stray: "77", wrong: "We do not know table 77." });
    expect(dialog().open).toBe(true);
    const field = order().getByLabelText<HTMLInputElement>("Your table");
    expect(field.value).toBe("77");
    expect(document.activeElement).toBe(field);
    expect(document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "We do not know table 77.",
    );
    expect(Object.fromEntries(new FormData(field.form ?? undefined))).toEqual({ t: "77", at: "5" });
    expect(location.search).toBe("?t=5");
  });

  test.each(["12", ""])("after a change of table to %j the address says only that, and the order is open", (table) => {
    history.replaceState({ kept: true }, "", "/pos/panezski?t=12&f=nuts&at=5");
    open({ table });
    expect(location.search).toBe(table ? "?t=12&f=nuts" : "?f=nuts");
    expect(history.state).toEqual({ kept: true });
    expect(dialog().open).toBe(true);
  });

  test("an unknown code does not open the order", () => {
    history.replaceState(null, "", "/pos/panezski?t=77");
    open({ stray: "77", wrong: "We do not know table 77." });
    expect(dialog().open).toBe(false);
  });

  test("asks for a name if there is no table, and does not go on without one (POS-18)", async () => {
    answer();
    const { user } = open();
    await user.click(button("View Order"));
    const field = order().getByLabelText("Please provide a name for the order");
    await user.click(order().getByRole("button", { name: "Proceed to Payment" }));
    expect(requests).toHaveLength(0);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(field);
    expect(order().getByText("Enter a name to call out when your order is ready")).toBeDefined();
  });

  test("Add more items returns to the menu with the quantities (POS-19)", async () => {
    const { user, store } = open();
    await user.click(button("View Order"));
    await user.click(order().getByRole("button", { name: "Add more items" }));
    await waitFor(() => expect(dialog().open).toBe(false));
    expect(store.read().items).toEqual({ "12": 2, "15": 1 });
  });

  test("the button says whether the payment is real (POS-20 POS-21)", async () => {
    open({ live: true });
    expect(order().getByRole("button", { name: "Proceed to Payment", hidden: true })).toBeDefined();
    cleanup();
    open({ live: false });
    expect(order().getByRole("button", { name: "Test Payment", hidden: true })).toBeDefined();
  });

  test("the back button closes it", async () => {
    const { user } = open();
    await user.click(button("View Order"));
    expect(history.state).toMatchObject({ order: true });
    history.replaceState(null, "");
    dispatchEvent(new PopStateEvent("popstate", { state: null }));
    await waitFor(() => expect(dialog().open).toBe(false));
  });

  test("sold-out items are marked and have to be removed before paying", async () => {
    answer();
    const { user, store } = open({ table: "5", items: items.map((item) => ({ ...item, soldOut: item.id === 15 })) });
    await user.click(button("View Order"));
    expect(order().getByText("No longer available: Tea. Remove it to continue.")).toBeDefined();
    await user.click(order().getByRole("button", { name: "Proceed to Payment" }));
    expect(requests).toHaveLength(0);
    await user.click(order().getByRole("button", { name: "Remove Tea" }));
    expect(store.read().items).toEqual({ "12": 2 });
  });
});

describe("surcharge and tip", () => {
  const extra = { table: "5", surcharge: "Sunday surcharge 10%", rate: 1000, tips: [5, 10, 15] };
  const sums = () => [...dialog().querySelectorAll("p.line")].map((line) => line.textContent);

  test("stand between the lines and the total, and the bar has the items alone", async () => {
    const { user } = open(extra);
    await user.click(button("View Order"));
    expect(sums()).toEqual(["Items $12.75", "Sunday surcharge 10% $1.28", "Total $14.03"]);
    expect(document.querySelector(".bar")?.textContent).toContain("$12.75");
    expect(order().getByRole<HTMLInputElement>("radio", { name: "No tip" }).checked).toBe(true);
    await user.click(order().getByRole("radio", { name: "10% $1.28" }));
    expect(sums()).toEqual(["Items $12.75", "Sunday surcharge 10% $1.28", "Tip $1.28", "Total $15.31"]);
    await user.click(order().getByRole("button", { name: "Add Tea" }));
    expect(sums()).toEqual(["Items $16.50", "Sunday surcharge 10% $1.65", "Tip $1.65", "Total $19.80"]);
  });

  test("are asked for and shown only where there are any", async () => {
    const { user } = open({ table: "5" });
    await user.click(button("View Order"));
    expect(order().queryByRole("radio")).toBeNull();
    expect(sums()).toEqual(["Total $12.75"]);
  });

  test("a tip that is typed has to be an amount, and is sent with the whole amount", async () => {
    answer([409, { error: "The order costs $14.00 now.", amount: "17.00" }], [201, { trxId: "trx-1" }]);
    const { user } = open(extra);
    await user.click(button("View Order"));
    await user.click(order().getByRole("radio", { name: "Other" }));
    const field = order().getByLabelText<HTMLInputElement>("Your tip");
    for (const wrong of ["0", "-2", "1,50", "2.555", "1e3", "Infinity", "two"]) {
      await user.clear(field);
      await user.type(field, wrong);
      await user.click(order().getByRole("button", { name: "Proceed to Payment" }));
      expect(order().getByText("Enter your tip as an amount, such as 2.00")).toBeDefined();
    }
    expect(document.activeElement).toBe(field);
    expect(requests).toHaveLength(0);
    await user.clear(field);
    await user.type(field, "$2.5");
    expect(sums()).toEqual(["Items $12.75", "Sunday surcharge 10% $1.28", "Tip $2.50", "Total $16.53"]);
    await user.click(order().getByRole("button", { name: "Proceed to Payment" }));
    expect(await order().findByText(/Prices have changed/)).toBeDefined();
    expect(sums()).toEqual(["Total $17.00"]);
    await user.click(order().getByRole("button", { name: "Proceed to Payment" }));
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(requests.map(({ body }) => [body.tip, body.amount])).toEqual([
      ["2.50", "16.53"],
      ["2.50", "17.00"],
    ]);
  });
});

describe("ordering", () => {
  async function proceed(props: Partial<Props> = { table: "5" }) {
    const opened = open(props);
    await opened.user.click(button("View Order"));
    await opened.user.click(order().getByRole("button", { name: "Proceed to Payment" }));
    return opened;
  }
  const again = () => order().findByRole("button", { name: "Proceed to Payment" });

  test("sends the order and goes to its payment page (POS-23 POS-28)", async () => {
    answer([201, { trxId: "trx-1" }]);
    const { code, store } = await proceed();
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/pos/${code}/trx-1`));
    expect(requests).toEqual([
      {
        key: store.read().key,
        body: {
          merchantId: code,
          order: [
            { id: 12, qty: 2 },
            { id: 15, qty: 1 },
          ],
          amount: "12.75",
          name: "",
          table: "5",
          description: "Food Order",
          source: "diy-pos",
          trxRef: "",
          pushToken: "",
        },
      },
    ]);
    expect(store.read().trx).toBe("trx-1");
  });

  test("sends the name without spaces around it", async () => {
    answer([201, { trxId: "trx-1" }]);
    const { user } = open();
    await user.click(button("View Order"));
    await user.type(order().getByRole("textbox"), " Ann {Enter}");
    await waitFor(() => expect(requests[0]?.body.name).toBe("Ann"));
  });

  test("shows Preparing Payment and the amount, and creates one transaction (POS-22)", async () => {
    vi.stubGlobal("fetch", (...request: unknown[]) => {
      requests.push({ key: null, body: { request } });
      return new Promise(() => {});
    });
    const { user } = open({ table: "5", sign: "£" });
    await user.click(button("View Order"));
    const form = dialog().querySelector("form.stack") as HTMLFormElement;
    act(() => {
      form.requestSubmit();
      form.requestSubmit();
    });
    expect(order().getByText("Preparing Payment")).toBeDefined();
    expect(order().getByText("£12.75")).toBeDefined();
    expect(requests).toHaveLength(1);
  });

  test("goes back to the menu when no trxId comes (POS-24)", async () => {
    answer([200, {}]);
    await proceed();
    await waitFor(() => expect(dialog().open).toBe(false));
    expect(assign).not.toHaveBeenCalled();
    expect(document.querySelector(".toast")?.textContent).toBe("We could not start your order. Please try again.");
  });

  test("a changed price is shown, and confirmed with the new total", async () => {
    answer([409, { error: "The order costs $13.00 now.", amount: "13.00" }], [201, { trxId: "trx-1" }]);
    const { user, store } = await proceed();
    expect(await order().findByText(/Prices have changed/)).toBeDefined();
    expect(order().getByText("$13.00")).toBeDefined();
    expect(order().getByRole("link", { name: "Reload the menu" })).toBeDefined();
    expect(store.read().items).toEqual({ "12": 2, "15": 1 });
    await user.click(await again());
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(requests.map(({ body }) => body.amount)).toEqual(["12.75", "13.00"]);
  });

  test("an item outside its hours shows the server's message, before and after ordering", async () => {
    const sentence = "Tea is not available now. It opens at 08:00.";
    answer([409, { error: sentence, items: ["Tea"], itemIds: [15], closed: { 15: sentence } }]);
    await proceed();
    expect(await order().findByText(`${sentence} Remove it to continue.`)).toBeDefined();
    expect(order().getByText("Not available now")).toBeDefined();
    cleanup();
    const { user } = open({ items: items.map((i) => (i.id === 15 ? { ...i, soldOut: true, closed: sentence } : i)) });
    await user.click(button("View Order"));
    expect(order().getByText(`${sentence} Remove it to continue.`)).toBeDefined();
  });

  test("names each of several items that are gone", async () => {
    const sentence = "Tea is not available now. It opens at 08:00.";
    const { user } = open({
      items: items.map((i) => ({ ...i, soldOut: true, ...(i.id === 15 ? { closed: sentence } : { name: "شاي 2" }) })),
    });
    await user.click(button("View Order"));
    expect(
      order().getByText(`${sentence} No longer available: \u2068شاي 2\u2069. Remove them to continue.`),
    ).toBeDefined();
  });

  test("an item that is gone is marked and can be removed", async () => {
    answer([409, { error: "not available: Tea", items: ["Tea"], itemIds: [15] }], [201, { trxId: "trx-1" }]);
    const { user } = await proceed();
    expect(await order().findByText("No longer available: Tea. Remove it to continue.")).toBeDefined();
    await user.click(order().getByRole("button", { name: "Remove Tea" }));
    await user.click(await again());
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(requests[1]?.body).toMatchObject({ order: [{ id: 12, qty: 2 }], amount: "9.00" });
    expect(requests[1]?.key).not.toBe(requests[0]?.key);
  });

  test("a lost connection can be tried again with the same key", async () => {
    answer("broken", [200, { trxId: "trx-1" }], [200, { status: "new" }]);
    const { user } = await proceed();
    expect(await order().findByText(/could not reach the server/)).toBeDefined();
    await user.click(await again());
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(requests[1]?.key).toBe(requests[0]?.key);
  });

  test.each(["success", "completed", "paid"])(
    "what another guest made and paid (%s) is a new order",
    async (status) => {
      answer([200, { trxId: "trx-1" }], [200, { status }], [201, { trxId: "trx-2" }]);
      const { user } = await proceed();
      expect(await order().findByText(/Somebody has already paid this order/)).toBeDefined();
      expect(assign).not.toHaveBeenCalled();
      await user.click(await again());
      await waitFor(() => expect(assign).toHaveBeenCalledWith(expect.stringContaining("trx-2")));
      expect(requests[2]?.key).not.toBe(requests[0]?.key);
    },
  );

  test("a transaction that this browser made leads to its payment, paid or not", async () => {
    answer([200, { trxId: "trx-1" }]);
    const { user, store } = open({ table: "5" });
    store.ordered("trx-1");
    await user.click(button("View Order"));
    await user.click(await again());
    await waitFor(() => expect(assign).toHaveBeenCalledWith(expect.stringContaining("trx-1")));
  });

  test("a key of another order is replaced once", async () => {
    answer([422, { error: "used", field: "Idempotency-Key" }], [201, { trxId: "trx-2" }]);
    const { store } = await proceed();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(requests[1]?.key).not.toBe(requests[0]?.key);
    expect(store.read()).toMatchObject({ key: requests[1]?.key, trx: "trx-2" });
  });

  test.each([
    [409, "Ordering is paused.", /^Ordering is paused\.$/],
    [422, "The name looks like a card number.", /^The name looks like a card number\.$/],
    [429, "Too many orders are waiting to be paid.", /^Too many orders are waiting to be paid\.$/],
    [429, undefined, /went wrong on our side/],
    [500, "no", /went wrong on our side/],
  ])("status %i with the words %s is told without losing anything", async (status, error, text) => {
    answer([status, { error, field: "name", paused: status === 409 }]);
    const { store } = await proceed();
    expect(await order().findByText(text)).toBeDefined();
    expect(store.read().items).toEqual({ "12": 2, "15": 1 });
  });
});
