import type { Page } from "@playwright/test";

// Noted is what fakes of both wallets record in the page for the tests.
export interface Noted {
  google: { client?: unknown; ready?: unknown; request?: unknown };
  apple: {
    version?: number;
    request?: Record<string, unknown>;
    validated?: unknown;
    aborted?: boolean;
    completed?: { status: number; errors?: { code: string; contactField: string; message: string }[] };
    shipping?: { newShippingMethods: { label: string; detail: string; amount: string }[] };
  };
}

export interface GooglePlan {
  ready?: boolean;
  // The sheet's outcome: a token to pay with, or the status code of its failure.
  token?: string;
  fails?: string;
}

// googleScript replaces Google's script. Its button is a plain button.
export function googleScript({ ready = true, token = "tok", fails = "" }: GooglePlan = {}): string {
  return `(() => {
    const noted = (window.noted ??= { google: {}, apple: {} }).google;
    class PaymentsClient {
      constructor(options) { noted.client = JSON.parse(JSON.stringify(options)); }
      isReadyToPay(request) { noted.ready = request; return Promise.resolve({ result: ${ready} }); }
      prefetchPaymentData() {}
      createButton({ onClick }) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = "Google Pay";
        button.addEventListener("click", onClick);
        return button;
      }
      loadPaymentData(request) {
        noted.request = request;
        if (${JSON.stringify(fails)}) return Promise.reject({ statusCode: ${JSON.stringify(fails)} });
        return Promise.resolve({
          email: "ada@example.com",
          shippingAddress: request.shippingAddressRequired ? { name: "Ada", countryCode: "AU", postalCode: "2000" } : undefined,
          paymentMethodData: {
            type: "CARD",
            info: { cardNetwork: "VISA", cardDetails: "4242" },
            tokenizationData: { type: "PAYMENT_GATEWAY", token: ${JSON.stringify(token)} },
          },
        });
      }
    }
    window.google = { payments: { api: { PaymentsClient } } };
  })();`;
}

// serveGoogle serves a script in place of Google's.
export async function serveGoogle(page: Page, plan: GooglePlan = {}): Promise<void> {
  await page.route("**/pay.js", (route) => route.fulfill({ contentType: "text/javascript", body: googleScript(plan) }));
}

export interface ApplePlan {
  newest?: number;
  able?: boolean;
  token?: string;
  email?: string;
  country?: string;
  // What the payer does once the merchant is validated.
  payer?: "confirm" | "cancel";
}

// fakeApple gives the page's browser an Apple Pay whose sheet runs through every callback at once.
export async function fakeApple(page: Page, plan: ApplePlan = {}): Promise<void> {
  await page.addInitScript((given) => {
    const { newest, able, token, email, country, payer } = {
      ...{ newest: 14, able: true, token: "tok", email: "ada@example.com", country: "AU", payer: "confirm" },
      ...given,
    };
    type Handler = (event: unknown) => unknown;
    const all = window as unknown as { noted?: Noted };
    all.noted ??= { google: {}, apple: {} };
    const noted = all.noted.apple;
    const contact = {
      emailAddress: email,
      givenName: "Ada",
      familyName: "Lovelace",
      addressLines: ["1 George St"],
      locality: "Sydney",
      postalCode: "2000",
      countryCode: country,
    };
    class ApplePaySession {
      static readonly STATUS_SUCCESS = 0;
      static readonly STATUS_FAILURE = 1;
      static supportsVersion(version: number) {
        return version <= newest;
      }
      static canMakePayments() {
        return able;
      }
      onvalidatemerchant?: Handler;
      onpaymentmethodselected?: Handler;
      onshippingcontactselected?: Handler;
      onshippingmethodselected?: Handler;
      onpaymentauthorized?: Handler;
      oncancel?: Handler;
      constructor(version: number, request: Record<string, unknown>) {
        noted.version = version;
        noted.request = request;
      }
      begin() {
        void this.onvalidatemerchant?.({ validationURL: "https://apple-pay-gateway.apple.com/paymentservices/x" });
      }
      completeMerchantValidation(session: unknown) {
        noted.validated = session;
        this.onpaymentmethodselected?.({ paymentMethod: { type: "credit" } });
      }
      completePaymentMethodSelection() {
        if (noted.request?.shippingMethods) this.onshippingcontactselected?.({ shippingContact: contact });
        else this.#decide();
      }
      completeShippingContactSelection(update: NonNullable<Noted["apple"]["shipping"]>) {
        noted.shipping = update;
        this.onshippingmethodselected?.({ shippingMethod: update.newShippingMethods[0] });
      }
      completeShippingMethodSelection() {
        this.#decide();
      }
      completePayment(result: NonNullable<Noted["apple"]["completed"]>) {
        noted.completed = result;
      }
      abort() {
        noted.aborted = true;
      }
      #decide() {
        if (payer === "cancel") {
          this.oncancel?.({});
          return;
        }
        const paymentMethod = { displayName: "Visa 4242", network: "Visa", type: "credit" };
        void this.onpaymentauthorized?.({
          payment: { token: { paymentData: { data: token }, paymentMethod }, shippingContact: contact },
        });
      }
    }
    class ApplePayError {
      constructor(
        readonly code: string,
        readonly contactField: string,
        readonly message: string,
      ) {}
    }
    Object.assign(window, { ApplePaySession, ApplePayError });
  }, plan);
}

// notedIn reads what the fakes recorded.
export function notedIn(page: Page): Promise<Noted> {
  return page.evaluate(() => JSON.parse(JSON.stringify((window as unknown as { noted: Noted }).noted)) as Noted);
}
