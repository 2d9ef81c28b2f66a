import { expect, test } from "./test";

test.describe("the order menu", { tag: ["@nojs", "@desktop"] }, () => {
  test("ROUTE-20 ROUTE-22 POS-02 POS-03 the demo client's menu shows its name and logo", async ({ menu, page }) => {
    await menu.open();
    await expect(page).toHaveTitle(/Panezski/);
    await expect(page.getByRole("banner")).toContainText("Panezski");
    await expect(page.getByRole("banner").locator("img")).toBeVisible();
  });

  test("POS-04 a badge tells test mode, and none a live business", async ({ menu, page }) => {
    await menu.open();
    await expect(page.getByText("TEST MODE", { exact: true })).toBeVisible();
    await menu.open("", "tahbella");
    await expect(page.getByRole("banner")).toContainText("Tahbella");
    await expect(page.getByText("TEST MODE", { exact: true })).toHaveCount(0);
  });

  test("POS-05 POS-06 POS-07 available items stand under their category; empty categories are hidden", async ({
    menu,
    page,
  }) => {
    await menu.open();
    const coffee = page.locator("section").filter({ has: page.getByRole("heading", { name: "Coffee and tea" }) });
    await expect(coffee.getByRole("heading", { name: "Flat White" })).toBeVisible();
    await expect(coffee.getByRole("heading", { name: "Pale Ale" })).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Birthday Cake Slice" })).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Sunday roast" })).toHaveCount(0);
  });

  test("POS-08 POS-10 CONST-01 an item shows picture, name, description and its price in dollars", async ({ menu }) => {
    await menu.open();
    const row = menu.row("Flat White");
    await expect(row.getByRole("heading", { name: "Flat White" })).toBeVisible();
    await expect(row.locator("img")).toBeVisible();
    await expect(row).toContainText("$4.90");
    await expect(menu.row("Butter Croissant")).toContainText("Three days in the making");
  });

  test("POS-09 POS-12 POS-14 plus and minus change quantity and total, and stop at nothing", async ({ menu }) => {
    await menu.open();
    await menu.add("Flat White");
    await menu.expectQuantity("Flat White", 1);
    await menu.add("Flat White");
    await menu.expectQuantity("Flat White", 2);
    await menu.add("Butter Croissant");
    await expect(menu.bar).toContainText("$15.30");
    await menu.remove("Flat White");
    await expect(menu.bar).toContainText("$10.40");
    await menu.remove("Flat White");
    await menu.expectQuantity("Flat White", 0);
    await expect(menu.row("Flat White").getByRole("button", { name: "Remove Flat White" })).toBeHidden();
    await expect(menu.bar).toContainText("$5.50");
  });

  test("POS-01 POS-11 the bottom bar shows the table, if there is one", async ({ menu }) => {
    await menu.open("?t=5");
    await menu.add("Flat White");
    await expect(menu.bar).toContainText("Table 5");
    await menu.open("?n=Ann");
    await menu.add("Pale Ale");
    await expect(menu.bar).not.toContainText("Table");
  });

  test("POS-34 the bottom bar stays in view while the menu scrolls", async ({ menu }) => {
    await menu.open();
    await menu.add("Flat White");
    await menu.row("Butter Croissant").scrollIntoViewIfNeeded();
    await expect(menu.viewOrder).toBeInViewport();
    await menu.row("Plum Martini").scrollIntoViewIfNeeded();
    await expect(menu.viewOrder).toBeInViewport();
  });

  test("POS-25 an unknown client gets the invalid-merchant screen", async ({ menu, page }) => {
    await menu.open("", "nosuch");
    await expect(page.getByRole("heading", { name: "Invalid merchant" })).toBeVisible();
  });

  test("CHROME-09 PAY-07 the customer pages say who powers them", async ({ menu, page }) => {
    await menu.open();
    await expect(page.getByRole("contentinfo")).toContainText("Powered by");
    await page.goto("/pos/panezski/demo");
    await expect(page.getByRole("contentinfo")).toContainText("Powered by");
  });
});

test("POS-09 the buttons of every item are named after it", async ({ menu, page }) => {
  await menu.open();
  const rows = page.locator("li.item");
  await expect(rows).toHaveCount(40);
  for (const name of await rows.getByRole("heading").allInnerTexts()) {
    await expect(menu.row(name).getByRole("button", { name: `Add ${name}`, exact: true })).toHaveCount(1);
  }
});

test("the basket is still there after a reload and after going back", async ({ menu, page }) => {
  await menu.open();
  await menu.add("Flat White");
  await menu.add("Flat White");
  await expect(menu.bar).toContainText("$9.80");
  await page.reload();
  await menu.expectQuantity("Flat White", 2);
  await expect(menu.bar).toContainText("$9.80");
  await menu.openOrder();
  await menu.pay();
  await page.goBack();
  await menu.expectQuantity("Flat White", 2);
});

test("POS-13 with JavaScript View Order is inactive while the order costs nothing", async ({ menu }) => {
  await menu.open();
  await menu.add("Flat White");
  await expect(menu.viewOrder).toBeEnabled();
  await menu.remove("Flat White");
  await expect(menu.viewOrder).toBeDisabled();
});

test("POS-13 without JavaScript an empty order says what to do and loses nothing", { tag: "@nojs-only" }, async ({
  menu,
  page,
}) => {
  await menu.open();
  await menu.viewOrder.click();
  await expect(page.getByRole("main")).toContainText(/nothing/i);
  await page.getByRole("link", { name: /menu/i }).first().click();
  await menu.add("Flat White");
  await menu.expectQuantity("Flat White", 1);
});
