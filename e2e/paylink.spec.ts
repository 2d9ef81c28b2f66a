import { captures, expectCharged } from "./ledger";
import { cards } from "./payment-page";
import { command } from "./program";
import { expect, test } from "./test";

test("a merchant's link is paid on the payment page", {
  annotation: { type: "requirements", description: "DOC-09 PAY-49" },
  tag: "@nojs",
}, async ({ page, payment }) => {
  const made = await command(
    ...["merchant", "paylink", "--client", "panezski", "--amount", "125.00", "--reference", "INV-2041"],
    ...["--description", "Wedding cake, deposit", "--expires", "2034-12-31", "--json"],
  );
  const { trxId, url } = JSON.parse(made) as { trxId: string; url: string };
  await page.goto(url);
  await expect(page.getByRole("heading", { name: "Pay Panezski Bakery & Bar" })).toBeVisible();
  for (const text of ["$125.00", "Wedding cake, deposit", "INV-2041", "the end of 31 December 2034 (AEDT)"]) {
    await expect(page.getByRole("main")).toContainText(text);
  }
  await payment.payWith(cards.declined);
  await payment.expectState("failure");
  expect(await captures(trxId)).toEqual([]);
  await payment.tryAgain.click();
  await payment.payWith(cards.approved);
  await payment.expectState("completed");
  await expectCharged(trxId, "125.00");
  await expect(page.getByText("Your payment is complete.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Order Again" })).toHaveCount(0);
  await page.reload();
  await payment.expectState("completed");
});
