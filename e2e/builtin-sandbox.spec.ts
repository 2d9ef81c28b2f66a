import { cards } from "./payment-page";
import { expect, test } from "./test";

// A program with nothing set, and no stranger to ask: the database and the gateway are the ones inside the binary.
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

test("API-07 what programs call is answered by this program, with nothing set", async ({ request, baseURL }) => {
  for (const call of ["pos", "create", "pay", "wallet"]) {
    const answer = await request.post(`/api/${call}`, { data: {} });
    expect(new URL(answer.url()).origin, call).toBe(baseURL);
    expect(answer.headers()["content-type"], call).toBe("application/json");
    expect(answer.status(), call).toBeGreaterThanOrEqual(400);
    expect(answer.status(), call).toBeLessThan(500);
    expect(await answer.json(), call).toMatchObject({ error: expect.stringMatching(/.+/) });
  }
});

test("in test mode a simulated wallet pays at the sandbox, and a declined one says so", async ({ page, payment }) => {
  await page.route("**/pay.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
  await payment.order();
  await payment.mounted();
  await page.getByText("Test mode: cards to try").click();
  await page.getByRole("button", { name: "Simulated Apple Pay" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await payment.expectState("failure");
  await expect(page.locator("#payment")).toContainText("Transaction Declined.Please try again..");
  await payment.tryAgain.click();
  await page.getByText("Test mode: cards to try").click();
  await page.getByRole("button", { name: "Simulated Google Pay" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pay" }).click();
  await payment.expectPaid();
});
