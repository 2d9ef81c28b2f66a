import { KitchenPage } from "./kitchen-page";
import { cards } from "./payment-page";
import { expect, renew, test } from "./test";

test(
  "a paid order is in the kitchen at once, and a tap there ends it for its customer",
  { annotation: { type: "requirements", description: "PAY-54" }, tag: ["@nojs", "@desktop"] },
  async ({ browser, baseURL, menu, page, payment, javaScriptEnabled }, { project }) => {
    const table = `K-${project.name}`;
    const other = await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled });
    const kitchen = new KitchenPage(await other.newPage());
    await kitchen.open();
    await menu.open(`?t=${table}`);
    await menu.add("Butter Croissant");
    await menu.add("Flat White");
    await menu.openOrder();
    await menu.pay();
    await payment.payWith(cards.approved);
    await payment.expectPaid();
    if (!javaScriptEnabled) await renew(kitchen.page);
    await expect(kitchen.ticket("Kitchen", table)).toContainText("Butter Croissant");
    await kitchen.done("Kitchen", table);
    await expect(kitchen.ticket("Kitchen", table)).toHaveCount(0);
    await kitchen.done("Bar", table);
    await expect(kitchen.ticket("Bar", table)).toHaveCount(0);
    if (!javaScriptEnabled) await renew(page);
    await payment.expectState("completed");
    await other.close();
  },
);
