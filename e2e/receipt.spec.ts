import { sql } from "./database";
import { expectInside } from "./inspect";
import { cards } from "./payment-page";
import { readQR } from "./qr-reader";
import { expect, test } from "./test";
import { fetchPacked, stylesOf, total } from "./wire";

test("the payer opens the receipt, and anybody can check it", {
  annotation: { type: "requirements", description: "RCPT-05 RCPT-06" },
  tag: ["@nojs", "@desktop"],
}, async ({ page, payment, javaScriptEnabled }) => {
  const id = await payment.order();
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  await page.getByRole("link", { name: "Receipt", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Tax invoice" })).toBeVisible();
  const main = page.getByRole("main");
  for (const text of ["$4.90", "Flat White", "GST of $0.45", "Visa ending in 1111", "LAT*panezski", id, "TEST MODE"]) {
    await expect(main).toContainText(text);
  }
  const size = page.viewportSize() ?? { width: 360, height: 740 };
  await page.getByText("Signed receipt").click();
  await page.getByText("Check it without us").click();
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ ...size, width });
    await expectInside(page, `the receipt at ${width} px`);
    const cut = await page.locator("pre").evaluate((command) => command.scrollWidth > command.clientWidth);
    expect(cut, `the command at ${width} px`).toBe(false);
  }
  await page.setViewportSize(size);
  await expect(page.getByRole("button", { name: "Print or save as PDF" })).toHaveCount(javaScriptEnabled ? 1 : 0);
  await page.getByRole("button", { name: "Send again to a•••@e•••.com" }).click();
  await expect(main).toContainText("so the copy for a•••@e•••.com was not emailed");
  await page.getByText("Signed receipt").click(); // the page has come anew
  await page.getByRole("link", { name: "Check this receipt" }).last().click();
  await expect(page.getByRole("heading", { name: "This receipt is genuine" })).toBeVisible();
  await expect(main).toContainText("4.90 AUD");
  const [, text, sum] = /code=([^.]+)\.(.+)$/.exec(page.url()) ?? [];
  const forged = Buffer.from(text ?? "", "base64url")
    .toString()
    .replace("4.90 AUD", "0.90 AUD");
  await page.getByLabel("Code of the receipt").fill(`${Buffer.from(forged).toString("base64url")}.${sum}`);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Do not trust this receipt" })).toBeVisible();
  await page.getByLabel("Code of the receipt").fill("no code");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("not the whole code");
});

test("a payer has their details removed through the receipt and a mailed link @nojs-only", async ({
  page,
  payment,
}) => {
  test.slow(); // an erasure is done within a minute
  const id = await payment.order();
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  // An erasure waits until the kitchen is done.
  await sql(`UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = '${id}'`);
  await page.getByRole("link", { name: "Receipt", exact: true }).click();
  const main = page.getByRole("main");
  await expect(main).toContainText("Ada Lovelace");
  const receipt = new URL(page.url()).pathname;
  await page.getByRole("link", { name: "Get a copy of my details, or remove them" }).click();
  await page.getByRole("button", { name: "Send a link to a•••@e•••.com" }).click();
  await expect(main).toContainText("We sent a link to a•••@e•••.com.");
  let link = "";
  await expect(async () => {
    const outbox = await (await page.request.get("/dev/outbox")).text();
    for (const [letter] of outbox.matchAll(/\/dev\/outbox\/[0-9a-f-]{36}/g)) {
      const text = await (await page.request.get(letter)).text();
      link ||= text.includes(receipt) ? (/\/receipt\/\w+\/erase\?code=\w+/.exec(text)?.[0] ?? "") : "";
    }
    expect(link).not.toBe("");
  }).toPass({ timeout: 30_000 });
  await page.goto(link);
  await page.getByRole("button", { name: "Remove my details" }).click();
  await expect(main).toContainText("Your details are being removed.");
  await expect(async () => {
    await page.goto(receipt);
    await expect(main).toContainText("The payer’s details were removed from this payment", { timeout: 500 });
  }).toPass({ timeout: 80_000 });
  await expect(main).toContainText(id);
  await expect(main).toContainText("Visa ending in 1111");
  await expect(main).not.toContainText("Ada Lovelace");
});

test("a printed receipt has only what belongs on paper, and its code leads to the check", async ({
  page,
  payment,
  baseURL,
}) => {
  await payment.order();
  await payment.payWith(cards.approved);
  await page.getByRole("link", { name: "Receipt", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Tax invoice" })).toBeVisible();
  const url = new URL(page.url());
  const html = await fetchPacked(url);
  const styles = stylesOf(html.text, url);
  expect(html.bytes + (await total(styles))).toBeLessThanOrEqual(14 * 1024);
  await page.emulateMedia({ media: "print" });
  for (const gone of [page.getByRole("banner"), page.getByRole("contentinfo"), page.getByRole("button").first()]) {
    await expect(gone).toBeHidden();
  }
  await page.setViewportSize({ width: 794, height: 1123 });
  const code = page.getByRole("img", { name: "QR code that checks this receipt" });
  expect(await readQR(page, await code.screenshot())).toContain(`${baseURL}/receipt/verify?code=`);
});
