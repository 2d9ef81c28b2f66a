import { afterEach, describe, expect, test, vi } from "vitest";
import type { Wallets } from "../../props.gen";
import { appleRequest, appleVersion, contactErrors, minimumVersions, networks, shippingMethods } from "./apple";
import { googleOffer, googleRequest } from "./google";
import { problemOf, type RuleName, rules } from "./messages";
import { call, HttpError, payByWallet, payload } from "./pay";

const page: Wallets = {
  shop: "panezski",
  merchant: "Panezski",
  trxId: "trx-1",
  pageUrl: "/pos/panezski/trx-1",
  key: "key-1",
  amount: "12.50",
  amountLabel: "$12.50",
  currency: "AUD",
  countryCode: "",
  description: "Food Order",
  ships: true,
  google: { script: "https://g.test/pay.js", environment: "TEST", merchantId: "BCR2", gateway: "example", nonce: "n" },
  simulated: false,
};

afterEach(() => vi.unstubAllGlobals());

describe("Google Pay", () => {
  test("the request is the specification's (WALLET-02 WALLET-03 WALLET-04 WALLET-05 WALLET-06 WALLET-07)", () => {
    expect(googleRequest(page)).toEqual({
      apiVersion: 2,
      apiVersionMinor: 0,
      merchantInfo: { merchantId: "BCR2", merchantName: "Panezski" },
      allowedPaymentMethods: [
        {
          type: "CARD",
          parameters: {
            allowedAuthMethods: ["PAN_ONLY", "CRYPTOGRAM_3DS"],
            allowedCardNetworks: ["AMEX", "DISCOVER", "JCB", "INTERAC", "MASTERCARD", "VISA"],
          },
          tokenizationSpecification: {
            type: "PAYMENT_GATEWAY",
            parameters: { gateway: "example", gatewayMerchantId: "panezski" },
          },
        },
      ],
      transactionInfo: { totalPriceStatus: "FINAL", totalPrice: "12.50", currencyCode: "AUD", countryCode: "AU" },
      emailRequired: true,
      shippingAddressRequired: true,
    });
    expect(googleRequest({ ...page, countryCode: "NZ", ships: false })).toMatchObject({
      transactionInfo: { countryCode: "NZ" },
      shippingAddressRequired: false,
    });
  });

  test("the payload has every field except those that only the server knows (WALLET-08 WALLET-09 WALLET-10 WALLET-32)", () => {
    const offer = googleOffer({
      apiVersion: 2,
      apiVersionMinor: 0,
      email: "ada@example.com",
      paymentMethodData: {
        type: "CARD",
        info: { cardNetwork: "VISA", cardDetails: "1111" },
        tokenizationData: { type: "PAYMENT_GATEWAY", token: "tok" },
      },
    });
    expect(payload(page, offer)).toEqual({
      wallet: "gpay",
      token: "tok",
      type: "CARD",
      info: { cardNetwork: "VISA", cardDetails: "1111" },
      currency: "AUD",
      amount: "12.50",
      tRef: "trx-1",
      reference: "trx-1",
      description: "Food Order",
      merchantId: "panezski",
      transid: "trx-1",
      source: "PayLink",
      shippingAddress: null,
      email: "ada@example.com",
      otgMerchant: "panezski",
    });
  });
});

describe("Apple Pay", () => {
  const device = (supports: (version: number) => boolean, able = true) => {
    const asked: number[] = [];
    vi.stubGlobal("ApplePaySession", {
      canMakePayments: () => able,
      supportsVersion: (version: number) => {
        asked.push(version);
        return supports(version);
      },
    });
    return asked;
  };

  test("the newest version is chosen, tried from 12 down to 1 (WALLET-24)", () => {
    const asked = device((version) => version <= 9);
    expect(appleVersion()).toBe(9);
    expect(asked).toEqual([12, 11, 10, 9]);
    expect(device(() => false) && appleVersion()).toBeUndefined();
    const all = device(() => false);
    appleVersion();
    expect(all).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test("each network has the version that first knew it (WALLET-23)", () => {
    expect(networks).toEqual(["amex", "masterCard", "visa"]);
    expect(minimumVersions).toEqual({ amex: 1, masterCard: 1, visa: 1 });
  });

  test("a device that lacks Apple Pay, or cannot pay with it, is not offered it", () => {
    expect(appleVersion()).toBeUndefined();
    device(() => true, false);
    expect(appleVersion()).toBeUndefined();
    vi.stubGlobal("ApplePaySession", {
      canMakePayments: () => {
        throw new Error("not secure");
      },
    });
    expect(appleVersion()).toBeUndefined();
  });

  test("the request is the specification's, with shipping only for pay links (WALLET-18 WALLET-19 WALLET-20 WALLET-21)", () => {
    expect(appleRequest(page)).toEqual({
      countryCode: "AU",
      currencyCode: "AUD",
      supportedNetworks: ["amex", "masterCard", "visa"],
      merchantCapabilities: ["supports3DS", "supportsCredit", "supportsDebit"],
      total: { label: "Panezski", type: "final", amount: "12.50" },
      requiredShippingContactFields: ["email", "name", "postalAddress"],
      shippingType: "shipping",
      shippingMethods: shippingMethods("AU"),
    });
    const order = appleRequest({ ...page, ships: false });
    expect(order.requiredShippingContactFields).toEqual(["email"]);
    expect(order.shippingMethods).toBeUndefined();
  });

  test("shipping takes 3-5 or 1-3 days in Australia, 5-10 days elsewhere (WALLET-21 WALLET-22)", () => {
    expect(shippingMethods("au").map(({ identifier, detail }) => [identifier, detail])).toEqual([
      ["standard", "3-5 days"],
      ["expedited", "1-3 days"],
    ]);
    for (const country of ["NZ", "", undefined]) {
      expect(shippingMethods(country).map(({ detail }) => detail)).toEqual(["5-10 days"]);
    }
  });

  test("problems of a contact are reported by field (WALLET-25)", () => {
    vi.stubGlobal(
      "ApplePayError",
      class {
        constructor(
          readonly code: string,
          readonly contactField: string,
          readonly message: string,
        ) {}
      },
    );
    const found = contactErrors(page, { emailAddress: "x", countryCode: "AU", postalCode: "2OOO", familyName: "Lee" });
    expect(found.map(({ contactField, message }) => [contactField, message])).toEqual([
      ["emailAddress", "Please enter a valid email address."],
      ["addressLines", "This field is required."],
      ["locality", "This field is required."],
      ["postalCode", "Please enter only digits."],
    ]);
    expect(contactErrors({ ...page, ships: false }, { emailAddress: "a@b.co" })).toEqual([]);
    expect(contactErrors({ ...page, ships: false }, undefined)).toHaveLength(1);
  });

  test("the payload names the merchant in small letters (WALLET-11 WALLET-12)", () => {
    const offer = { wallet: "apple", paymentData: {}, paymentMethod: {}, email: "", shippingAddress: null } as const;
    const body = payload(page, offer);
    expect(Object.keys(body).sort()).toEqual(
      "amount currency description email merchantid otgMerchant paymentData paymentMethod reference shippingAddress source tRef transid wallet".split(
        " ",
      ),
    );
    expect(body).toMatchObject({ wallet: "apple", merchantid: "panezski" });
  });
});

test("each rule has its message, letter for letter (WALLET-25)", () => {
  const wrong: [RuleName, string, string, string][] = [
    ["required", " ", "a", "This field is required."],
    ["email", "a@b", "a@b.co", "Please enter a valid email address."],
    ["url", "b.co", "https://b.co", "Please enter a valid URL."],
    ["date", "soon", "2026-01-02", "Please enter a valid date."],
    ["dateISO", "1/2/2026", "2026-01-02", "Please enter a valid date (ISO)."],
    ["number", "1,5x", "-1.5", "Please enter a valid number."],
    ["digits", "1.5", "15", "Please enter only digits."],
    ["creditcard", "4111 1111 1111 1112", "4111 1111 1111 1111", "Please enter a valid credit card number."],
  ];
  expect(wrong.map(([rule]) => rule)).toEqual(Object.keys(rules));
  for (const [rule, bad, good, message] of wrong) {
    expect(problemOf(bad, rule)).toBe(message);
    expect(problemOf(good, rule)).toBe("");
    if (rule !== "required") expect(problemOf("", rule)).toBe("");
  }
  expect(problemOf("", "required", "email")).toBe("This field is required.");
});

describe("/api/wallet", () => {
  const offer = { wallet: "gpay", token: "t", type: "CARD", info: null, email: "", shippingAddress: null } as const;
  const answer = (status: number, text: string) => {
    const fetched = vi.fn(async () => new Response(text, { status }));
    vi.stubGlobal("fetch", fetched);
    vi.spyOn(console, "warn").mockImplementation(() => {});
    return fetched;
  };

  test("an answer that is not OK raises HTTP error: {status} - {text} (WALLET-30)", async () => {
    answer(500, "x");
    await expect(call("/api/wallet", {})).rejects.toThrow(new HttpError(500, "x"));
    await expect(call("/api/wallet", {})).rejects.toThrow("HTTP error: 500 - x");
  });

  test.each<[string, number, string, unknown]>([
    ["approved", 200, '{"status":{"statuscode":"0"}}', { kind: "approved" }],
    ["declined", 200, '{"status":{"statuscode":"1"}}', { kind: "declined" }],
    ["processing", 202, '{"state":"processing"}', { kind: "open" }],
    [
      "paid by somebody else",
      200,
      '{"state":"paid","amount":"11.00","currency":"AUD","at":"2026-01-02T03:04:05Z"}',
      { kind: "refused", message: "" },
    ],
    [
      "3-D Secure",
      202,
      '{"state":"processing","redirect":"https://b.test"}',
      { kind: "redirect", to: "https://b.test" },
    ],
    ["refused", 409, '{"error":"Held."}', { kind: "refused", message: "Held." }],
    ["not charged", 503, '{"error":"Nothing was charged."}', { kind: "refused", message: "Nothing was charged." }],
    ["a broken server", 502, "<html>", { kind: "lost" }],
    ["a page in between", 200, "<html>", { kind: "lost" }],
    ["an answer of nothing", 200, "{}", { kind: "lost" }],
  ])("%s", async (_, status, text, verdict) => {
    const fetched = answer(status, text);
    expect(await payByWallet(page, offer)).toEqual(verdict);
    expect(fetched).toHaveBeenCalledOnce();
    const [address, { headers, body }] = fetched.mock.calls[0] as unknown as [
      string,
      { headers: Record<string, string>; body: string },
    ];
    expect([address, headers["Idempotency-Key"]]).toEqual(["/api/wallet", "key-1"]);
    expect(JSON.parse(body)).toMatchObject({ wallet: "gpay", transid: "trx-1" });
  });

  test("a broken connection counts as lost, never as a failure", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network")));
    expect(await payByWallet(page, offer)).toEqual({ kind: "lost" });
  });
});
