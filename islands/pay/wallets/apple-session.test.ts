// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Wallets } from "../../props.gen";
import { beginSession } from "./apple-session";
import type { Verdict } from "./pay";

const page: Wallets = {
  shop: "panezski",
  merchant: "Panezski",
  trxId: "trx-1",
  pageUrl: "/pos/panezski/trx-1",
  key: "key-1",
  amount: "12.50",
  amountLabel: "$12.50",
  currency: "AUD",
  countryCode: "AU",
  description: "Invoice 7",
  ships: true,
  google: { script: "", environment: "TEST", merchantId: "", gateway: "example", nonce: "" },
  simulated: false,
};
const contact = {
  emailAddress: "ada@example.com",
  familyName: "Lovelace",
  addressLines: ["1 George St"],
  locality: "Sydney",
  postalCode: "2000",
  countryCode: "AU",
};
const newTotal = { label: "Panezski", type: "final", amount: "12.50" };

/** Sheet replaces Apple's sheet. It records its calls, and the test plays the payer. */
class Sheet {
  static readonly STATUS_SUCCESS = 0;
  static readonly STATUS_FAILURE = 1;
  static opened: Sheet;
  readonly told: [string, unknown][] = [];
  [handler: string]: unknown;
  constructor() {
    Sheet.opened = this;
    for (const name of [
      "begin",
      "abort",
      "completeMerchantValidation",
      "completePaymentMethodSelection",
      "completeShippingContactSelection",
      "completeShippingMethodSelection",
      "completePayment",
    ]) {
      this[name] = (value?: unknown) => this.told.push([name, value]);
    }
  }
  async fire(event: string, value: unknown) {
    await (this[`on${event}`] as (value: unknown) => unknown)(value);
    return this.told.at(-1);
  }
}

const calls = { pay: vi.fn(), settled: vi.fn(), cancelled: vi.fn(), failed: vi.fn() };

beforeEach(() => {
  vi.stubGlobal("ApplePaySession", Sheet);
  for (const call of Object.values(calls)) call.mockReset();
  beginSession(12, page, calls);
});
afterEach(() => vi.unstubAllGlobals());

test("the sheet opens at once, and cancelling is reported", async () => {
  expect(Sheet.opened.told).toEqual([["begin", undefined]]);
  await Sheet.opened.fire("cancel", {});
  expect(calls.cancelled).toHaveBeenCalledOnce();
});

test("choosing card, address and shipping keeps the amount (WALLET-21 WALLET-22)", async () => {
  const sheet = Sheet.opened;
  expect(await sheet.fire("paymentmethodselected", {})).toEqual(["completePaymentMethodSelection", { newTotal }]);
  const methods = async (countryCode: string) => {
    const [, update] = (await sheet.fire("shippingcontactselected", { shippingContact: { countryCode } })) ?? [];
    expect(update).toMatchObject({ newTotal });
    return (update as { newShippingMethods: { detail: string }[] }).newShippingMethods.map(({ detail }) => detail);
  };
  expect(await methods("AU")).toEqual(["3-5 days", "1-3 days"]);
  expect(await methods("NZ")).toEqual(["5-10 days"]);
  expect(await sheet.fire("shippingmethodselected", {})).toEqual(["completeShippingMethodSelection", { newTotal }]);
});

test.each<[Verdict, [string, unknown]]>([
  [{ kind: "approved" }, ["completePayment", { status: 0 }]],
  [{ kind: "declined" }, ["completePayment", { status: 1 }]],
  [{ kind: "refused", message: "" }, ["completePayment", { status: 1 }]],
  [{ kind: "open" }, ["abort", undefined]],
  [{ kind: "redirect", to: "https://b.test" }, ["abort", undefined]],
  [{ kind: "lost" }, ["abort", undefined]],
])("a payment that is %o closes the sheet as it has to", async (verdict, told) => {
  calls.pay.mockResolvedValue(verdict);
  const token = { paymentData: { data: "x" }, paymentMethod: { network: "Visa" } };
  expect(await Sheet.opened.fire("paymentauthorized", { payment: { token, shippingContact: contact } })).toEqual(told);
  expect(calls.pay).toHaveBeenCalledExactlyOnceWith({
    wallet: "apple",
    ...token,
    email: "ada@example.com",
    shippingAddress: contact,
  });
  expect(calls.settled).toHaveBeenCalledExactlyOnceWith(verdict);
});

test("validation names this merchant, and closes the sheet if it fails (WALLET-17)", async () => {
  const fetched = vi.fn(async () => new Response('{"nonce":"n"}'));
  vi.stubGlobal("fetch", fetched);
  const validationURL = "https://apple-pay-gateway.apple.com/x";
  expect(await Sheet.opened.fire("validatemerchant", { validationURL })).toEqual([
    "completeMerchantValidation",
    { nonce: "n" },
  ]);
  const [address, { body }] = fetched.mock.calls[0] as unknown as [string, { body: string }];
  expect([address, JSON.parse(body)]).toEqual([
    "/api/wallet/session",
    { validationURL, merchantId: "panezski", currency: "AUD" },
  ]);
  vi.stubGlobal("fetch", async () => new Response("away", { status: 503 }));
  expect(await Sheet.opened.fire("validatemerchant", { validationURL })).toEqual(["abort", undefined]);
  expect(calls.failed).toHaveBeenCalledOnce();
});
