import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import { cards } from "./payment-page";
import { signIn } from "./people";
import { expect, test } from "./test";

async function saved(page: Page, press: () => Promise<void>): Promise<[Download, Buffer]> {
  const waiting = page.waitForEvent("download");
  await press();
  const file = await waiting;
  return [file, await readFile(await file.path())];
}

test("a business downloads its payments, closes its day once, and anybody checks the closing @nojs-long", async ({
  page,
  payment,
}) => {
  const id = await payment.order(["Butter Croissant"], "panezski");
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  const desk = await page.context().newPage(); // the payment page may still refresh itself
  await signIn(desk, "demo@forecourt.test");

  await desk.goto("/desk/panezski");
  const tabs = desk.getByRole("navigation", { name: "Desk" });
  await tabs.getByRole("link", { name: "Payments" }).click();
  await tabs.getByRole("link", { name: "Exports" }).click();
  const download = desk.getByRole("button", { name: "Download" });
  const [table, text] = await saved(desk, () => download.first().click());
  expect(table.suggestedFilename()).toMatch(/^panezski-payments-.*-test\.csv$/);
  expect(text.toString()).toMatch(/^\ufeffdate,time,zone,payment,/);
  expect(text.toString()).toContain(id);
  await desk.getByLabel("Month").fill("2026-10");
  const [statement, sheet] = await saved(desk, () => download.last().click());
  expect(statement.suggestedFilename()).toBe("panezski-statement-2026-10.pdf");
  expect(sheet.subarray(0, 5).toString()).toBe("%PDF-");

  await tabs.getByRole("link", { name: "End of day" }).click();
  // Another project's test may have closed it.
  const close = desk.getByRole("button", { name: "Close the day" });
  await close.or(desk.getByRole("link", { name: "see its figures" })).click();
  const once = desk.getByText("You can close a day only once.");
  await once.or(desk.getByRole("heading", { name: /End of day no\. \d+/ })).waitFor();
  if (await once.isVisible()) {
    await desk.getByLabel("Counted cash").fill("120");
    await close.click();
  }
  await expect(desk.getByRole("heading", { name: /End of day no\. \d+/ })).toBeVisible();
  await expect(desk.getByText("Counted again just now: they agree")).toBeVisible();
  const [, closing] = await saved(desk, () => desk.getByRole("link", { name: "Download, signed (JSON)" }).click());
  await desk.getByRole("link", { name: "Check its signature" }).click();
  await expect(desk.getByRole("heading", { name: "This end of day is genuine" })).toBeVisible();

  const check = async (file: string) => {
    await desk.goto("/receipt/verify");
    await desk.getByText("Check an end of day from its file").click();
    await desk
      .getByLabel("File (JSON)")
      .setInputFiles({ name: "closing.json", mimeType: "application/json", buffer: Buffer.from(file) });
    await desk.getByRole("button", { name: "Check the end of day" }).click();
  };
  await check(closing.toString());
  await expect(desk.getByRole("heading", { name: "This end of day is genuine" })).toBeVisible();
  await check(closing.toString().replace(/"number": (\d+)/, '"number": 1$1'));
  await expect(desk.getByRole("heading", { name: "Do not trust this end of day" })).toBeVisible();
});
