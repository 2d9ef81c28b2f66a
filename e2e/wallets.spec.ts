import type { Page } from "@playwright/test";
import { captures, expectCharged } from "./ledger";
import { cards } from "./payment-page";
import { command } from "./program";
import { expect, test } from "./test";
import { fakeApple, googleScript, notedIn, serveGoogle } from "./wallets";

const google = (page: Page) => page.getByRole("button", { name: "Google Pay" });
const apple = (page: Page) => page.getByRole("button", { name: "Apple Pay" });

// sent records what the page sends to /api/wallet.
function sent(page: Page): Record<string, unknown>[] {
  const bodies: Record<string, unknown>[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/wallet")
      bodies.push(request.postDataJSON() as Record<string, unknown>);
  });
  return bodies;
}

test("Google Pay pays an order once, with the specification's payload", {
  annotation: { type: "requirements", description: "API-04 WALLET-02 WALLET-08 WALLET-09 WALLET-10" },
  tag: "@desktop",
}, async ({ page, payment }) => {
  await serveGoogle(page);
  const bodies = sent(page);
  const id = await payment.order();
  await google(page).click();
  await payment.expectPaid();
  await expectCharged(id, "4.90");
  expect(bodies).toEqual([
    {
      wallet: "gpay",
      token: "tok",
      type: "CARD",
      info: { cardNetwork: "VISA", cardDetails: "4242" },
      currency: "AUD",
      amount: "4.90",
      tRef: id,
      reference: id,
      description: "Food Order",
      merchantId: "panezski",
      transid: id,
      source: "PayLink",
      shippingAddress: null,
      email: "ada@example.com",
      otgMerchant: "panezski",
    },
  ]);
  const { request, client } = (await notedIn(page)).google;
  expect(client).toMatchObject({ environment: "TEST" });
  expect(request).toMatchObject({ emailRequired: true, shippingAddressRequired: false });
});

test("closing Google's sheet does not change the transaction; a failure is shown", {
  annotation: { type: "requirements", description: "WALLET-28 WALLET-29" },
}, async ({ page, payment }) => {
  await serveGoogle(page, { fails: "CANCELED" });
  const bodies = sent(page);
  const logged: string[] = [];
  page.on("console", (message) => message.text().startsWith("wallet") && logged.push(message.text()));
  const id = await payment.order();
  await google(page).click();
  await expect.poll(async () => (await notedIn(page)).google.request).toBeTruthy();
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(logged).toEqual([]);
  await page.unroute("**/pay.js");
  await serveGoogle(page, { fails: "DEVELOPER_ERROR" });
  await page.reload();
  await google(page).click();
  await expect(page.getByRole("alert")).toContainText("Nothing was charged");
  expect(logged).toHaveLength(1);
  await payment.expectState("form");
  expect(bodies).toEqual([]);
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  await expectCharged(id, "4.90");
});

test("a Google Pay payment that the bank declines can be tried again by card", async ({ page, payment }) => {
  await serveGoogle(page, { token: "decline" });
  const id = await payment.order();
  await google(page).click();
  await payment.expectState("failure");
  await expect(page.locator("#payment")).toContainText("Do not honour");
  await payment.tryAgain.click();
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  await expectCharged(id, "4.90");
});

test("a wallet payment that asks for 3-D Secure goes to the bank and comes back paid", {
  annotation: { type: "requirements", description: "PAY-43" },
}, async ({ page, payment }) => {
  await serveGoogle(page, { token: "redirect" });
  const id = await payment.order();
  await google(page).click();
  await payment.reachBank();
  await page.getByRole("button", { name: "Approve" }).click();
  await payment.expectPaid();
  await expectCharged(id, "4.90");
});

for (const [what, token] of [
  ["is charged and never answered", "timeout"],
  ["is charged", "ok"],
] as const) {
  test(`an Apple Pay payment that ${what} ends as paid, once`, {
    annotation: { type: "requirements", description: "WALLET-11 WALLET-12" },
  }, async ({ page, payment }) => {
    await fakeApple(page, { token });
    const bodies = sent(page);
    const id = await payment.order();
    await apple(page).click();
    await payment.expectPaid();
    await expectCharged(id, "4.90");
    expect(bodies).toMatchObject([
      {
        wallet: "apple",
        merchantid: "panezski",
        transid: id,
        tRef: id,
        source: "PayLink",
        paymentData: { data: token },
      },
    ]);
    const noted = (await notedIn(page)).apple;
    expect(noted).toMatchObject({ version: 12, validated: { merchantIdentifier: "panezski" } });
    expect(noted.request).toMatchObject({
      countryCode: "AU",
      currencyCode: "AUD",
      supportedNetworks: ["amex", "masterCard", "visa"],
      merchantCapabilities: ["supports3DS", "supportsCredit", "supportsDebit"],
      total: { label: "Panezski", amount: "4.90" },
      requiredShippingContactFields: ["email"],
    });
    if (token === "ok") expect(noted.completed).toEqual({ status: 0 });
    else {
      // The page may learn of the payment before the answer to its own call closes the sheet.
      await expect
        .poll(async () => (await notedIn(page)).apple.aborted, "the sheet closes without an outcome")
        .toBe(true);
    }
  });
}

test("a declined Apple Pay payment says so in its own words, and again after a reload", {
  annotation: { type: "requirements", description: "WALLET-26" },
}, async ({ page, payment }) => {
  await fakeApple(page, { token: "decline" });
  const id = await payment.order();
  await apple(page).click();
  await payment.expectState("failure");
  await expect(page.locator("#payment")).toContainText("Transaction Declined.Please try again..");
  expect((await notedIn(page)).apple.completed).toEqual({ status: 1 });
  await page.reload();
  await expect(page.locator("#payment")).toContainText("Transaction Declined.Please try again..");
  expect(await captures(id)).toEqual([]);
});

test("closing Apple's sheet says Payment Cancelled. and does not change the transaction", {
  annotation: { type: "requirements", description: "WALLET-27" },
}, async ({ page, payment }) => {
  await fakeApple(page, { payer: "cancel" });
  const id = await payment.order();
  await apple(page).click();
  await expect(page.getByRole("status")).toHaveText("Payment Cancelled.");
  await payment.expectState("form");
  expect(await captures(id)).toEqual([]);
});

test("the sheet says that an address is not valid, and nothing is sent", {
  annotation: { type: "requirements", description: "WALLET-25" },
}, async ({ page, payment }) => {
  await fakeApple(page, { email: "x" });
  const bodies = sent(page);
  await payment.order();
  await apple(page).click();
  await expect
    .poll(async () => (await notedIn(page)).apple.completed)
    .toMatchObject({
      status: 1,
      errors: [{ contactField: "emailAddress", message: "Please enter a valid email address." }],
    });
  expect(bodies).toEqual([]);
});

test("a pay link asks both wallets for an address and is paid", {
  annotation: { type: "requirements", description: "WALLET-07 WALLET-21 WALLET-22" },
}, async ({ page, payment }) => {
  await serveGoogle(page);
  await fakeApple(page, { country: "NZ" });
  const bodies = sent(page);
  const link = async () => {
    const made = await command("merchant", "paylink", "--client", "panezski", "--amount", "125.00", "--json");
    return JSON.parse(made) as { trxId: string; url: string };
  };
  await page.goto((await link()).url);
  await google(page).click();
  await payment.expectState("completed");
  expect((await notedIn(page)).google.request).toMatchObject({ shippingAddressRequired: true });
  const { trxId, url } = await link();
  await page.goto(url);
  await apple(page).click();
  await payment.expectState("completed");
  await expectCharged(trxId, "125.00");
  const { shipping, request } = (await notedIn(page)).apple;
  expect(request).toMatchObject({ countryCode: "AU", currencyCode: "AUD" });
  expect(shipping?.newShippingMethods).toMatchObject([{ detail: "5-10 days" }]);
  expect(bodies).toMatchObject([
    { wallet: "gpay" },
    { wallet: "apple", transid: trxId, shippingAddress: { countryCode: "NZ" } },
  ]);
});

test("a merchant that cannot be validated closes the sheet and pays nothing", {
  annotation: { type: "requirements", description: "WALLET-17" },
}, async ({ page, payment }) => {
  await fakeApple(page);
  await page.route("**/api/wallet/session", (route) => route.fulfill({ status: 503, json: { error: "away" } }));
  await payment.order();
  await apple(page).click();
  await expect(page.getByRole("alert")).toContainText("Nothing was charged");
  expect((await notedIn(page)).apple.aborted).toBe(true);
  await payment.expectState("form");
});

test("a device without a wallet is offered none", {
  annotation: { type: "requirements", description: "WALLET-31" },
}, async ({ page, payment }) => {
  await serveGoogle(page, { ready: false });
  await fakeApple(page, { able: false });
  await payment.order();
  await payment.mounted();
  await expect.poll(async () => (await notedIn(page)).google.ready).toBeTruthy();
  await expect(google(page)).toHaveCount(0);
  await expect(apple(page)).toHaveCount(0);
  await expect(page.getByText("or pay by card")).toHaveCount(0);
});

test("the card form works while Google's script is blocked", async ({ page, payment }) => {
  await page.route("**/pay.js", (route) => route.abort("blockedbyclient"));
  const id = await payment.order();
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  await expectCharged(id, "4.90");
});

test("Google's script, 20 s late, moves nothing while a person types a card", async ({ page, payment }) => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route("**/pay.js", async (route) => {
    await held;
    await route.fulfill({ contentType: "text/javascript", body: googleScript() });
  });
  await page.clock.install();
  await payment.order();
  await payment.mounted();
  await payment.number.fill("4000 0000");
  const before = await payment.number.boundingBox();
  await page.clock.runFor(20_000);
  await expect(payment.number).toHaveValue("4000 0000");
  release();
  await expect(google(page)).toBeVisible();
  expect(await payment.number.boundingBox()).toEqual(before);
  await expect(payment.number).toHaveValue("4000 0000");
  await google(page).click();
  await expect.poll(async () => (await notedIn(page)).google.request).toBeTruthy();
});

test("Apple Pay that is found while a person types a card appears below the form", async ({ page, payment }) => {
  await fakeApple(page);
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route(/\/static\/wallets-.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  const id = await payment.order();
  await payment.mounted();
  await payment.number.fill("4000 0000");
  const before = await payment.number.boundingBox();
  release();
  await expect(apple(page)).toBeVisible();
  expect(await payment.number.boundingBox()).toEqual(before);
  await expect(page.locator("fc-wallets > .island")).toHaveCount(1);
  await apple(page).click();
  await payment.expectPaid();
  await expectCharged(id, "4.90");
});

test("a wallet and a card at the same moment charge once", async ({ page, payment, context }) => {
  await serveGoogle(page);
  const id = await payment.order();
  const second = await context.newPage();
  await second.goto(page.url());
  await second.getByLabel("Card Number").fill(cards.approved);
  await expect(google(page)).toBeVisible();
  await Promise.all([google(page).click(), second.getByRole("button", { name: /^Pay / }).click()]);
  await payment.expectPaid();
  await expectCharged(id, "4.90");
});

test("a business without a paylink key offers no wallet, and its page stays free of third parties", {
  annotation: { type: "requirements", description: "WALLET-01" },
}, async ({ page, payment }) => {
  await fakeApple(page);
  await payment.order(["The Sabona"], "sabona");
  await payment.mounted();
  await expect(apple(page)).toHaveCount(0);
  const answer = await page.request.get(page.url());
  expect(answer.headers()["content-security-policy"]).not.toMatch(/google|gstatic|nonce/);
});

test("the demo's wallets are simulated, say so, and lead to the demo's outcome", { tag: "@nojs" }, async ({
  page,
  payment,
  javaScriptEnabled,
}) => {
  await page.goto("/pos/panezski/demo");
  await expect(page.getByText("Simulated wallets")).toBeVisible();
  await google(page).click();
  if (javaScriptEnabled) await page.getByRole("dialog").getByRole("button", { name: "Pay" }).click();
  await payment.expectState("success");
  expect(await captures("demo")).toEqual([]);
});
