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

test("a business downloads its payments, closes its day once, and anybody checks the closing @nojs", async ({
  page,
  payment,
}) => {
  const id = await payment.order(["Butter Croissant"], "panezski");
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  await signIn(page, "demo@forecourt.test");

  await page.goto("/desk/panezski");
  await page.getByRole("link", { name: "Exports", exact: true }).click();
  const download = page.getByRole("button", { name: "Download" });
  const [table, text] = await saved(page, () => download.first().click());
  expect(table.suggestedFilename()).toMatch(/^panezski-payments-.*-test\.csv$/);
  expect(text.toString()).toMatch(/^\ufeffdate,time,zone,payment,/);
  expect(text.toString()).toContain(id);
  await page.getByLabel("Month").fill("2026-10");
  const [statement, sheet] = await saved(page, () => download.last().click());
  expect(statement.suggestedFilename()).toBe("panezski-statement-2026-10.pdf");
  expect(sheet.subarray(0, 5).toString()).toBe("%PDF-");

  await page.getByRole("link", { name: "Closings", exact: true }).click();
  const close = page.getByRole("button", { name: "Close the day" });
  if (await close.isVisible()) {
    await close.click();
  } else {
    await page.getByRole("link", { name: "see its closing" }).click();
  }
  await expect(page.getByRole("heading", { name: /Closing no\. \d+/ })).toBeVisible();
  await expect(page.getByText("Counted again just now: they say the same")).toBeVisible();
  const [, closing] = await saved(page, () => page.getByRole("link", { name: "Download, signed (JSON)" }).click());
  await page.getByRole("link", { name: "Check its signature" }).click();
  await expect(page.getByRole("heading", { name: "This closing is genuine" })).toBeVisible();

  const check = async (file: string) => {
    await page.goto("/receipt/verify");
    await page.getByText("Check a closing from its file").click();
    await page
      .getByLabel("File (JSON)")
      .setInputFiles({ name: "closing.json", mimeType: "application/json", buffer: Buffer.from(file) });
    await page.getByRole("button", { name: "Check the closing" }).click();
  };
  await check(closing.toString());
  await expect(page.getByRole("heading", { name: "This closing is genuine" })).toBeVisible();
  await check(closing.toString().replace(/"number": (\d+)/, '"number": 1$1'));
  await expect(page.getByRole("heading", { name: "Do not trust this closing" })).toBeVisible();
});
