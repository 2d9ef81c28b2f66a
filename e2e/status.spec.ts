import { KitchenPage } from "./kitchen-page";
import { cards, PaymentPage } from "./payment-page";
import { expect, test } from "./test";

test(
  "an order is followed on two phones, one of them offline for a while",
  { annotation: { type: "requirements", description: "PAY-35 PAY-36 PAY-39 PAY-41" }, tag: "@desktop-long" },
  async ({ baseURL, browser, context, menu, page, payment }, { project }) => {
    const table = `S-${project.name}`;
    await menu.open(`?t=${table}`);
    await menu.add("Butter Croissant");
    await menu.add("Flat White");
    await menu.openOrder();
    await menu.pay();
    await payment.payWith(cards.approved);
    await payment.expectState("status");
    const staff = await browser.newContext({ baseURL: baseURL ?? "" });
    const second = await browser.newContext({ baseURL: baseURL ?? "" });
    const other = new PaymentPage(await second.newPage());
    await other.page.goto(page.url());
    await other.expectState("status");
    const kitchen = new KitchenPage(await staff.newPage());
    await kitchen.open();

    await context.setOffline(true);
    await kitchen.done("Kitchen", table);
    const place = other.page.locator(".place").filter({ has: other.page.getByRole("heading", { name: "Kitchen" }) });
    await expect(place).toContainText("Ready");
    await expect(other.page.locator(".toast")).toHaveCount(0);
    await kitchen.done("Bar", table);
    await other.expectState("completed");
    await expect(other.page.getByRole("heading", { level: 1 })).toHaveText("Your order is ready");
    await expect(other.page.locator(".toast"), "the toast names the order").toHaveText(
      `Order for Table ${table} is ready`,
    );
    await context.setOffline(false);
    await payment.expectState("completed");
    await expect(page.locator(".toast")).toBeVisible();
    await expect(page.getByRole("link", { name: "Order Again" })).toHaveAttribute(
      "href",
      new RegExp(`^/pos/panezski\\?t=${table}&b=`),
    );
    await expect(page.locator(".toast")).toHaveCount(0);
    await Promise.all([staff.close(), second.close()]);
  },
);

test("the paid page turns into the order without moving anything, and keeps the focus", async ({ page, payment }) => {
  await payment.order(["Flat White", "Butter Croissant"]);
  await payment.mounted();
  // However slow the machine is, the page goes on only when the test is ready.
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route(/\/pos\/panezski\/[^/]+$/, async (route) => {
    if ((await page.locator("#payment").getAttribute("data-state")) === "success") await held;
    await route.continue();
  });
  await payment.payWith(cards.approved);
  await payment.expectState("success");
  const receipt = page.getByRole("link", { name: "Receipt", exact: true });
  await expect(page.getByRole("heading", { name: "Payment successful" })).toBeFocused();
  await expect(page.locator("#bell")).toBeVisible();
  const shown = () => page.locator("#bell").evaluate((bell) => getComputedStyle(bell, "::after").content);
  for (const on of ["true", "false"]) {
    await page.locator("#bell").click();
    await expect(page.locator("#bell")).toHaveAttribute("data-on", on);
    expect(await shown()).toContain(on === "true" ? "on" : "off");
  }
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift" });
  });
  await receipt.focus(); // which may scroll
  const before = await receipt.boundingBox();
  release();
  await payment.expectState("status");
  await expect(page.getByRole("heading", { name: "Being made" })).toBeVisible();
  await expect(receipt).toBeFocused();
  expect(await receipt.boundingBox()).toEqual(before);
  const shifts = await page.evaluate(() => (window as Window & { shifts?: number[] }).shifts ?? []);
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.01);
  await expect(page).toHaveTitle(/^Being made/);
});
