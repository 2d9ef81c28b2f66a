import { cards } from "./payment-page";
import { startProgram } from "./program";
import { expect, test } from "./test";

// A program of its own, with no stranger to ask: the database and the gateway are the ones inside the binary.
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from the pattern
  baseURL: async ({}, use, info) => {
    const program = await startProgram(`builtin-${info.testId}`, ["serve"], {
      FORECOURT_ADDR: "127.0.0.1:0",
      GOOGLEPAY_SCRIPT_URL: "http://127.0.0.1:9/pay.js",
    });
    await use(program.url);
    await program.stop();
  },
});

test.describe("one binary alone", { tag: "@nojs" }, () => {
  test("a card is approved", async ({ menu, payment }) => {
    await menu.orderOne();
    await payment.payWith(cards.approved);
    await payment.expectPaid();
  });

  test("3-D Secure happens under the program's own address", async ({ menu, page, payment, baseURL }) => {
    await menu.orderOne();
    await payment.payWith(cards.challenge);
    await payment.reachBank();
    expect(new URL(page.url()).origin).toBe(baseURL);
    await page.getByRole("button", { name: "Approve" }).click();
    await payment.expectPaid();
  });
});

test("in test mode a simulated wallet pays at the sandbox, and a declined one says so", async ({
  menu,
  page,
  payment,
}) => {
  await page.route("**/pay.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
  await menu.orderOne();
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
