import { expect, test } from "@playwright/test";
import { KitchenPage } from "../kitchen-page";
import { MenuPage } from "../menu-page";
import { cards, PaymentPage } from "../payment-page";

test("an order is made, paid and followed, and its receipt opened, through a proxy", async ({
  browser,
  baseURL,
  page,
}) => {
  const table = `P-${Date.now() % 1_000_000}`;
  const staff = await browser.newContext({ baseURL: baseURL ?? "", ignoreHTTPSErrors: true });
  const kitchen = new KitchenPage(await staff.newPage());
  await kitchen.open();
  const menu = new MenuPage(page, true);
  await menu.open(`?t=${table}`);
  await menu.add("Butter Croissant");
  await menu.openOrder();
  await menu.pay();
  const payment = new PaymentPage(page);
  await payment.payWith(cards.approved);
  await payment.expectState("status");
  // Without its polls, the page can only learn of changes from the event stream.
  await page.route(page.url(), (route) => route.abort());
  await kitchen.done("Kitchen", table);
  await payment.expectState("completed");
  await page.getByRole("link", { name: "Receipt", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Tax invoice" })).toBeVisible();
  await staff.close();
});
