import { cards } from "./payment-page";
import { startProgram } from "./program";
import { expect, test } from "./test";

// A program of its own, with nothing set: the database and the gateway are the ones inside the binary.
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from the pattern
  baseURL: async ({}, use, info) => {
    const program = await startProgram(`builtin-${info.testId}`, ["serve"], { FORECOURT_ADDR: "127.0.0.1:0" });
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
