import { cards } from "./payment-page";
import { expect, test } from "./test";

// These tests use a program without settings and without external services: the binary's own database and gateway.
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from the pattern
  baseURL: async ({}, use) => {
    await use(process.env.E2E_ALONE_URL);
  },
});

test("one binary alone: a card is approved, with 3-D Secure under the program's own address", { tag: "@nojs" }, async ({
  page,
  payment,
  baseURL,
}) => {
  await payment.order();
  await payment.payWith(cards.challenge);
  await payment.reachBank();
  expect(new URL(page.url()).origin).toBe(baseURL);
  await page.getByRole("button", { name: "Approve" }).click();
  await payment.expectPaid();
});

test("the API works in a program without settings", {
  annotation: { type: "requirements", description: "API-07" },
}, async ({ request, baseURL }) => {
  const call = async (name: string, data: object) => {
    const answer = await request.post(`/api/${name}`, { data });
    expect(new URL(answer.url()).origin, name).toBe(baseURL);
    expect(answer.headers()["content-type"], name).toBe("application/json");
    return { status: answer.status(), body: await answer.json() };
  };
  const made = await call("pos", {
    ...{ merchantId: "panezski", order: [{ name: "Butter Croissant", qty: 2 }], table: "4", description: "Food Order" },
    ...{ source: "diy-pos", trxRef: "", pushToken: "" },
  });
  expect(made).toEqual({ status: 201, body: expect.objectContaining({ trxId: expect.stringMatching(/.{22}/) }) });
  const card = {
    cardholder: "Pat Payer",
    pan: "4111111111111111",
    exp: "12/34",
    cvc: "987",
    cEmail: "pat@example.com",
  };
  const paid = await call("pay", {
    ...{ merchantId: "panezski", trxId: made.body.trxId, currency: "AUD", testMode: true },
    ...card,
  });
  expect(paid).toEqual({ status: 200, body: expect.objectContaining({ transactionid: expect.stringMatching(/.+/) }) });
  const error = expect.stringMatching(/.+/);
  expect(await call("create", {})).toEqual({ status: 401, body: { error } });
  expect(await call("wallet", {})).toEqual({ status: 422, body: { error, field: "merchantId" } });
});

test("in test mode a simulated wallet pays at the sandbox, and a declined one says so", async ({ page, payment }) => {
  await page.route("**/pay.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
  await payment.order();
  await payment.mounted();
  await page.getByRole("button", { name: "Apple Pay" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await payment.expectState("failure");
  await expect(page.locator("#payment")).toContainText("Transaction Declined.Please try again..");
  await payment.tryAgain.click();
  await page.getByRole("button", { name: "Google Pay" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pay" }).click();
  await payment.expectPaid();
});
