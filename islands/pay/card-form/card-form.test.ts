import { fireEvent, screen, waitFor } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CardForm as Props } from "../../props.gen";
import { defineCardForm } from ".";

const props: Props = {
  shop: "panezski",
  trxId: "trx-1",
  pageUrl: "/pos/panezski/trx-1",
  key: "key-1",
  payLabel: "Pay $12.50",
  currency: "AUD",
  testMode: false,
  demo: false,
  demoUrl: "",
  demoDelay: 0,
  problems: {
    "name missing": "Enter the name on the card",
    "card missing": "Enter the card number",
    "card bad": "A card number has 12 to 20 digits",
    "card checksum": "That is not a valid card number",
    "exp missing": "Enter the expiry date",
    "exp past": "This card has expired: check the expiry date",
    "cvc missing": "Enter the CVC",
    "cvc bad": "The CVC has 3 or 4 digits",
    "email bad": "Invalid email",
  },
};

const server = `<form class="card-form" method="post" novalidate>
  <div id="problems" role="alert">There is a problem</div>
  <input type="hidden" name="key" value="key-1">
  <ul class="marks"><li data-mark="visa"><img alt="Visa"></li><li data-mark="mastercard"><img alt="Mastercard"></li></ul>
  <label for="name">Name on Card</label><input id="name" name="name" type="text" value="{NAME}" autocomplete="cc-name" enterkeyhint="next">
  <label for="card">Card Number</label><input id="card" name="card" type="text" value="{CARD}" autocomplete="cc-number" inputmode="numeric" enterkeyhint="next">{PROBLEM}
  <label for="exp">Expiry</label><input id="exp" name="exp" type="text" value="{EXP}" autocomplete="cc-exp" inputmode="numeric" enterkeyhint="next">
  <label for="cvc">CVC</label><input id="cvc" name="cvc" type="text" value="{CVC}" autocomplete="cc-csc" inputmode="numeric" enterkeyhint="next" class="masked">
  <label for="email">Customer Email</label><p id="email-hint">Optional, for your receipt</p>
  <input id="email" name="email" type="email" value="" autocomplete="email" enterkeyhint="go" placeholder="For your receipt">
  <button type="submit" class="button primary wide pay-button">Pay $12.50</button>
  <p class="assurance">Panezski charges your card once.</p>
</form>`;
const filled = { NAME: "Ann Lee", PROBLEM: "", CARD: "4111111111111111", EXP: "12/2034", CVC: "123" };

type Answer = [status: number, body: unknown, headers?: Record<string, string>] | "broken";
const payments: { key: string | null; body: unknown }[] = [];
const looks: string[] = [];
const assign = vi.fn();

beforeEach(() => {
  payments.length = 0;
  looks.length = 0;
  assign.mockReset();
  vi.spyOn(location, "assign").mockImplementation(assign);
});
afterEach(() => document.body.replaceChildren());

/** show opens a payment page with these values in the server's form. */
function show(values: Partial<typeof filled> = filled, more: Partial<Props> = {}) {
  const form = Object.entries({ NAME: "", PROBLEM: "", CARD: "", EXP: "", CVC: "", ...values }).reduce(
    (html, [mark, value]) => html.replace(`{${mark}}`, value),
    server,
  );
  const page = document.createElement("div");
  page.innerHTML = `<section id="payment" data-state="form"><fc-card-form><script type="application/json">${JSON.stringify(
    {
      ...props,
      ...more,
    },
  )}</script>${form}</fc-card-form></section>`;
  document.body.replaceChildren(page);
  defineCardForm();
  return userEvent.setup();
}

/** network answers payments with the first argument, and requests for the page with the states or failures that follow. */
function network(payment: Answer | undefined, ...page: (string | "broken" | "missing")[]) {
  vi.stubGlobal("fetch", async (address: string, request: RequestInit) => {
    if (address === "/api/pay") {
      payments.push({
        key: new Headers(request.headers).get("Idempotency-Key"),
        body: JSON.parse(String(request.body)) as unknown,
      });
      if (!payment) return new Promise(() => {});
      if (payment === "broken") throw new TypeError("Failed to fetch");
      return new Response(JSON.stringify(payment[1]), { status: payment[0], headers: payment[2] ?? {} });
    }
    looks.push(address);
    expect(new Headers(request.headers).get("HX-Request")).toBe("true");
    const next = page.shift();
    if (!next || next === "broken") throw new TypeError("Failed to fetch");
    if (next === "missing") return new Response("<h1>No such transaction</h1>", { status: 404 });
    return new Response(`<section id="payment" data-state="${next}"><h1 tabindex="-1">${next}</h1></section>`);
  });
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const payButton = () => screen.getByRole("button");
const state = () => document.querySelector<HTMLElement>("#payment")?.dataset.state;
const settle = (time = 0) => vi.advanceTimersByTimeAsync(time);
function withFakeTimers() {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
}
async function payNow() {
  fireEvent.click(payButton());
  await settle();
}

describe("the fields", () => {
  test("have the five labels and what the server filled in (PAY-16 PAY-25)", () => {
    show();
    expect(field("Name on Card").value).toBe("Ann Lee");
    expect(field("Card Number").value).toBe("4111 1111 1111 1111");
    expect(field("Expiry").value).toBe("12/34");
    expect(field("CVC").value).toBe("123");
    expect(field("Customer Email").value).toBe("");
    expect(payButton().textContent).toBe("Pay $12.50");
    expect(payButton().className).toBe("button primary wide pay-button");
    expect(screen.getByText("Panezski charges your card once.")).toBeDefined();
    expect(screen.getByText("Optional, for your receipt")).toBeDefined();
  });

  test("help browsers and keyboards, and hinder nobody", () => {
    show();
    const told = ["Name on Card", "Card Number", "Expiry", "CVC", "Customer Email"].map((label) => {
      const told = ["autocomplete", "inputmode", "enterkeyhint", "maxlength"];
      return told.map((attribute) => field(label).getAttribute(attribute));
    });
    expect(told).toEqual([
      ["cc-name", null, "next", null],
      ["cc-number", "numeric", "next", null],
      ["cc-exp", "numeric", "next", null],
      ["cc-csc", "numeric", "next", null],
      ["email", null, "go", null],
    ]);
  });

  test("are formatted while typing (PAY-18 to PAY-23)", async () => {
    const user = show({});
    await user.type(field("Card Number"), "4a111111111111111");
    await user.type(field("Expiry"), "1a2/301");
    await user.type(field("CVC"), "12345");
    expect(field("Card Number").value).toBe("4111 1111 1111 1111");
    expect(field("Expiry").value).toBe("12/30");
    expect(field("CVC").value).toBe("1234");
  });

  test("the CVC is masked by style, so that no browser saves it as a password (PAY-23)", () => {
    show();
    expect(field("CVC").type).toBe("text");
    expect(field("CVC").className).toBe("masked");
    expect(field("Card Number").className).toBe("");
  });

  test("the caret stays where a digit was inserted in the middle", async () => {
    const user = show({ CARD: "41111111" });
    const card = field("Card Number");
    await user.type(card, "9", { initialSelectionStart: 2, initialSelectionEnd: 2 });
    expect(card.value).toBe("4191 1111 1");
    expect(card.selectionStart).toBe(3);
  });

  test("an email is marked as wrong on leaving it, and as right as soon as it is right (PAY-24)", async () => {
    const user = show();
    await user.type(field("Customer Email"), "x");
    expect(screen.queryByText("Invalid email")).toBeNull();
    await user.tab();
    expect(screen.getByText("Invalid email")).toBeDefined();
    expect(field("Customer Email").getAttribute("aria-describedby")).toBe("email-hint email-problem");
    await user.type(field("Customer Email"), "@b.co");
    expect(screen.queryByText("Invalid email")).toBeNull();
  });

  test.each([
    ["mouse", "[MouseLeft>]", "[/MouseLeft]"],
    ["finger", "[TouchA>]", "[/TouchA]"],
  ])("nothing moves under a %s that presses Pay, and then every wrong field is marked", async (_, down, up) => {
    const user = show({ CARD: "4111111111111112" });
    let moved = false;
    payButton().addEventListener("click", () => {
      moved = document.querySelector(".problem") !== null;
    });
    await user.click(field("Card Number"));
    await user.pointer({ keys: down, target: payButton() });
    await user.pointer({ keys: up, target: payButton() });
    expect(moved).toBe(false);
    for (const label of ["Name on Card", "Card Number", "Expiry", "CVC"]) {
      expect(field(label).getAttribute("aria-invalid"), label).toBe("true");
    }
    expect(document.activeElement).toBe(field("Card Number"));
  });

  test("a field left by a press elsewhere is marked when the press is over", async () => {
    const user = show({ CARD: "4111111111111112" });
    await user.click(field("Card Number"));
    await user.pointer({ keys: "[MouseLeft>]", target: field("Expiry") });
    expect(field("Card Number").getAttribute("aria-invalid")).toBeNull();
    await user.pointer({ keys: "[/MouseLeft]", target: field("Expiry") });
    await waitFor(() => expect(field("Card Number").getAttribute("aria-invalid")).toBe("true"));
  });

  test("the brand of the card is shown", async () => {
    show({ CARD: "5555" });
    const marks = () =>
      screen
        .getAllByRole("listitem")
        .map((mark) => [mark.querySelector("img")?.alt ?? mark.textContent, mark.getAttribute("aria-current")]);
    expect(marks()).toEqual([
      ["Visa", null],
      ["Mastercard", "true"],
    ]);
    fireEvent.input(field("Card Number"), { target: { value: "3530 1113" } });
    expect(marks()).toEqual([
      ["Visa", null],
      ["Mastercard", null],
      ["JCB", "true"],
    ]);
  });

  test("the form says what the address is for, as the server's form does", () => {
    show();
    expect(field("Customer Email").placeholder).toBe("For your receipt");
  });

  test("the server's problems stay until the next try", () => {
    network(undefined);
    show({ ...filled, CARD: "", PROBLEM: '<p class="problem" id="card-problem">Enter the card number</p>' });
    expect(screen.getByText("There is a problem")).toBeDefined();
    expect(screen.getByText("Enter the card number")).toBeDefined();
    fireEvent.click(payButton());
    expect(screen.queryByText("There is a problem")).toBeNull();
    expect(document.activeElement).toBe(field("Card Number"));
  });
});

describe("paying", () => {
  withFakeTimers();

  test("no wallet can pay while a card does, and one can after a refusal", async () => {
    network([422, { error: "Not now." }]);
    show();
    document.body.append(document.createElement("fc-wallets"));
    fireEvent.click(payButton());
    const wallets = () => document.querySelector("fc-wallets")?.hasAttribute("inert");
    expect(wallets()).toBe(true);
    await settle();
    expect(screen.getByRole("alert").textContent).toBe("Not now.");
    expect(wallets()).toBe(false);
  });

  test("sends the card once, with the key of this form (PAY-26 PAY-27)", async () => {
    network(undefined);
    show();
    await payNow();
    await payNow();
    expect(payments).toEqual([
      {
        key: "key-1",
        body: {
          merchantId: "panezski",
          trxId: "trx-1",
          currency: "AUD",
          cardholder: "Ann Lee",
          pan: "4111111111111111",
          exp: "12/34",
          cvc: "123",
          testMode: false,
          cEmail: "",
        },
      },
    ]);
    expect(payButton().textContent).toBe("Processing…");
    expect(payButton().getAttribute("aria-disabled")).toBe("true");
    expect(field("Card Number").readOnly).toBe(true);
  });

  test("an impossible card is never sent", async () => {
    network(undefined);
    show({ ...filled, CARD: "4111111111111112" });
    await payNow();
    expect(payments).toHaveLength(0);
    expect(field("Card Number").getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(field("Card Number"));
  });

  test.each<[string, Answer, string]>([
    ["approved", [200, { status: { responsetype: "1", statuscode: "0" } }], "success"],
    ["declined", [200, { status: { responsetype: "0", statuscode: "1" } }], "failure"],
    ["still processing", [202, { state: "processing" }], "waiting"],
    ["held by another payment", [409, { error: "under way" }], "waiting"],
    ["expired", [410, { error: "expired" }], "expired"],
    ["failing on the server's side", [500, {}], "waiting"],
    ["a page of somebody else's", [502, "<html>"], "success"],
  ])("%s shows what the page says", async (_, answer, page) => {
    network(answer, page);
    show();
    await payNow();
    expect(looks).toEqual(["/pos/panezski/trx-1"]);
    expect(state()).toBe(page);
    expect(document.activeElement?.textContent).toBe(page);
  });

  test("nothing of the card is stored or revealed", async () => {
    const told = ["log", "info", "warn", "error", "debug"] as const;
    const spies = told.map((level) => vi.spyOn(console, level));
    network([202, { state: "processing", redirect: "https://bank.test/challenge" }]);
    show();
    await payNow();
    expect(assign).toHaveBeenCalledWith("https://bank.test/challenge");
    expect(field("Card Number").value).toBe("");
    expect(field("CVC").value).toBe("");
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("4111");
    expect(location.href).not.toContain("4111");
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });

  test("an address outside the web is never opened", async () => {
    network([202, { state: "processing", redirect: "javascript:alert(1)" }], "waiting");
    show();
    await payNow();
    expect(assign).not.toHaveBeenCalled();
    expect(state()).toBe("waiting");
  });

  test("the problems of a refused card show at its fields, and it can be tried again", async () => {
    network([422, { error: "Please check the card details.", fields: { pan: "Not this card", cEmail: "Nor this" } }]);
    show();
    await payNow();
    expect(screen.getByText("Not this card")).toBeDefined();
    expect(screen.getByText("Nor this")).toBeDefined();
    expect(field("Card Number").value).toBe("4111 1111 1111 1111");
    expect(payButton().textContent).toBe("Pay $12.50");
    await payNow();
    expect(payments).toHaveLength(2);
  });

  test("after too many tries the form shows the server's message", async () => {
    network([429, { error: "This card was declined too often. Try another one." }, { "Retry-After": "30" }]);
    show();
    await payNow();
    expect(screen.getByRole("alert").textContent).toBe("This card was declined too often. Try another one.");
    expect(payButton().textContent).toBe("Pay $12.50");
  });

  test("an order that can no longer be paid says why", async () => {
    network([409, { error: "Tea sold out in the meantime." }], "form");
    show();
    await payNow();
    expect(screen.getByRole("alert").textContent).toBe("Tea sold out in the meantime.");
  });

  test("a transaction that is gone shows its own page", async () => {
    network([404, { error: "No such transaction." }], "missing");
    show();
    await payNow();
    expect(assign).toHaveBeenCalledWith("/pos/panezski/trx-1");
  });
});

describe("a lost connection", () => {
  withFakeTimers();

  test("is not a failure: the page is polled until it shows the outcome", async () => {
    network("broken", "broken", "broken", "success");
    show();
    await payNow();
    expect(screen.getByRole("alert").textContent).toBe("We lost the connection. Checking your payment…");
    await settle(500);
    expect(looks).toHaveLength(2);
    expect(state()).toBe("form");
    await settle(1000);
    expect(state()).toBe("success");
    expect(payments).toHaveLength(1);
  });

  test("is checked again as soon as the browser is online", async () => {
    network("broken", "broken", "waiting");
    show();
    await payNow();
    dispatchEvent(new Event("online"));
    await settle();
    expect(state()).toBe("waiting");
  });

  test("before the payment began keeps the form for another try with the same key", async () => {
    network("broken", "form");
    show();
    await payNow();
    expect(screen.getByRole("alert").textContent).toContain("The connection broke before the payment began.");
    expect(field("Card Number").value).toBe("4111 1111 1111 1111");
    network([200, {}], "success");
    await payNow();
    expect(payments.map(({ key }) => key)).toEqual(["key-1", "key-1"]);
    expect(state()).toBe("success");
  });
});

describe("the demo", () => {
  withFakeTimers();

  test("waits 2000 ms, then shows its result without paying (PAY-46)", async () => {
    network(undefined, "failure");
    show(filled, { demo: true, demoUrl: "/pos/panezski/demo?paid=1&result=error", demoDelay: 2000 });
    await payNow();
    await settle(1999);
    expect(looks).toEqual([]);
    await settle(1);
    expect(looks).toEqual(["/pos/panezski/demo?paid=1&result=error"]);
    expect(state()).toBe("failure");
    expect(payments).toHaveLength(0);
  });
});
