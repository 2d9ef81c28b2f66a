import type { Page } from "@playwright/test";
import { cards } from "./payment-page";
import { password, signIn, someone } from "./people";
import { expect, test } from "./test";

// viewer adds a person who may only look to the bakery's team.
async function viewer(owner: Page, page: Page): Promise<void> {
  const email = someone();
  const back = owner.url();
  await owner.goto("/desk/panezski/team");
  await owner.getByLabel("Email").fill(email);
  await owner.getByRole("radio", { name: "Viewer" }).check();
  await owner.getByRole("button", { name: "Send invitation" }).click();
  await expect(owner.getByText(`The invitation is on its way to ${email}.`)).toBeVisible();
  await owner.goto(back);
  await expect(async () => {
    const outbox = await owner.request.get("/dev/outbox");
    const mail = (await outbox.text()).split("<tr").find((row) => row.includes(email));
    const letter = await owner.request.get(/\/dev\/outbox\/[0-9a-f-]+/.exec(mail ?? "")?.[0] ?? "");
    const link = /\/join\/[A-Z0-9]+/.exec(await letter.text())?.[0] ?? "";
    expect(link).not.toBe("");
    await page.goto(link);
  }).toPass();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("button", { name: "Create account and join" }).click();
  await expect(page).toHaveURL(/\/desk\/panezski$/);
}

test("a business finds a payment, looks at it and refunds it in two parts @nojs-long @desktop-long", async ({
  browser,
  baseURL,
  page,
  payment,
  javaScriptEnabled,
}) => {
  const table = `Desk ${javaScriptEnabled ? "scripted" : "plain"} ${page.viewportSize()?.width}`;
  const id = await payment.order(["Butter Croissant", "Flat White"], "panezski", table);
  await payment.payWith(cards.approved);
  await payment.expectPaid();

  await signIn(page, "demo@forecourt.test");
  await page.goto("/desk/panezski");
  await page.getByRole("link", { name: "Payments", exact: true }).click();
  await page.getByText("Filters").click();
  await page.getByLabel("Table").fill(table);
  await page.getByLabel("Last four digits").fill("1111");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("link", { name: table }).click();
  await expect(page).toHaveURL(`/desk/panezski/payments/${id}`);
  await expect(page.getByRole("listitem").filter({ hasText: "The bank approved" })).toBeVisible();

  await page.getByRole("link", { name: "Make a refund" }).click();
  await page.getByRole("radio", { name: "Some of what was ordered" }).check();
  await page.getByLabel("Butter Croissant").selectOption("1");
  await page.getByLabel("Reason").fill("It was cold");
  await page.getByRole("button", { name: "Check the refund" }).click();
  await expect(page.getByRole("heading", { name: "Refund $5.50?" })).toBeVisible();
  await page.getByRole("button", { name: "Refund $5.50" }).click();
  await expect(page.getByText("$5.50 was refunded.", { exact: true })).toBeVisible();
  await expect(page.locator(".page-head")).toContainText("Partly refunded");

  const other = await (await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled })).newPage();
  await viewer(page, other);
  await other.goto(`/desk/panezski/payments/${id}`);
  await expect(other.getByText("Your role may not make refunds.")).toBeVisible();
  await expect(other.getByRole("link", { name: "Make a refund" })).toHaveCount(0);

  await page.getByRole("link", { name: "Make a refund" }).click();
  await page.getByRole("radio", { name: "All that is left" }).check();
  await page.getByLabel("Reason").fill("All of it was cold");
  await page.getByRole("button", { name: "Check the refund" }).click();
  await page.getByRole("button", { name: /^Refund \$/ }).click();
  await expect(page.locator(".page-head").getByText("Refunded", { exact: true })).toBeVisible();
});
