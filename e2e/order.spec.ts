import { cards } from "./payment-page";
import { expect, test } from "./test";

test.describe("the order view", { tag: "@nojs" }, () => {
  test("lines have quantity controls and a total; a table replaces the name; Add more items keeps the basket; the order leads to its payment page", {
    annotation: { type: "requirements", description: "POS-15 POS-16 POS-17 POS-21 POS-19 POS-23 POS-33 ROUTE-21" },
    tag: "@desktop",
  }, async ({ menu, page, payment }) => {
    await menu.open("?t=5");
    await menu.add("Flat White");
    await menu.add("Butter Croissant");
    await expect(menu.bar).toContainText("$10.40");
    await menu.openOrder();
    await expect(menu.order).toContainText("Flat White");
    await expect(menu.order).toContainText("Butter Croissant");
    await expect(menu.order).toContainText("$10.40");
    await expect(menu.order).toContainText("Table 5");
    await expect(menu.nameField).toHaveCount(0);
    await expect(menu.proceed).toHaveText("Test Payment");
    await menu.order.getByRole("button", { name: "Add Flat White" }).click();
    await expect(menu.order).toContainText("$15.30");
    await menu.order.getByRole("button", { name: "Remove Butter Croissant" }).click();
    await expect(menu.order).not.toContainText("Butter Croissant");
    await expect(menu.order).toContainText("$9.80");

    await menu.addMore.click();
    await menu.expectQuantity("Flat White", 2);
    await menu.add("Pale Ale");
    await menu.expectQuantity("Pale Ale", 1);
    await expect(menu.bar).toContainText("$19.30");
    await menu.openOrder();
    expect(await menu.pay()).not.toBe("");
    await payment.expectState("form");
    await expect(page.locator("#payment")).toContainText("19.30");
  });

  test("options are chosen before an item is added, and are on the order and the paid transaction", {
    tag: "@desktop",
  }, async ({ menu, page, payment, baseURL }) => {
    await menu.open("?t=5");
    await menu.add("Butter Croissant");
    await menu.expectQuantity("Butter Croissant", 1);
    for (const milk of ["Oat", "Skim"]) {
      await menu.row("Iced Latte").getByRole("button", { name: "Choose Iced Latte" }).click();
      const choosing = page.locator(".choosing");
      await choosing.getByLabel("Large").check();
      await choosing.getByLabel(milk).check();
      await choosing.getByLabel("Note to the kitchen").fill(`${milk}, bitte schön`);
      const add = choosing.locator("[type=submit]");
      if (menu.scripted) await expect(add).toContainText(milk === "Oat" ? "$8.20" : "$7.40");
      await add.click();
      await expect(choosing).toHaveCount(0);
    }
    await menu.expectQuantity("Iced Latte", 2);
    await menu.expectQuantity("Butter Croissant", 1);
    await expect(menu.bar).toContainText("$21.10");
    await menu.openOrder();
    await expect(menu.order).toContainText("Large, Oat");
    await expect(menu.order).toContainText("“Skim, bitte schön”");
    await menu.order.getByRole("button", { name: "Remove Iced Latte with Large, Skim" }).click();
    await expect(menu.order).toContainText("$13.70");
    const trx = await menu.pay();
    await payment.expectState("form");
    await payment.payWith(cards.approved);
    await payment.expectPaid();
    const { order } = await (await page.request.get(`${baseURL}/api/pos/panezski/${trx}`)).json();
    expect(order[1]).toMatchObject({
      price: "8.20",
      note: "Oat, bitte schön",
      options: [{ name: "Large" }, { name: "Oat" }],
    });
    while (new URL(page.url()).pathname !== "/pos/panezski") await page.goBack();
    await expect(page.getByText("Your order is being made")).toBeVisible();
  });

  test("a line of the order opens its item again, and what is changed there is on the order", async ({
    menu,
    page,
  }) => {
    await menu.open("?t=5");
    await menu.row("Iced Latte").getByRole("button", { name: "Choose Iced Latte" }).click();
    const choosing = page.locator(".choosing");
    await choosing.getByLabel("Large").check();
    await choosing.getByLabel("Skim").check();
    await choosing.locator("[type=submit]").click();
    await expect(choosing).toHaveCount(0);
    await menu.openOrder();
    const line = menu.order.getByRole(menu.scripted ? "button" : "link", { name: "Edit Iced Latte with Large, Skim" });
    await line.click();
    await expect(choosing.getByLabel("Skim")).toBeChecked();
    await choosing.getByLabel("Oat").check();
    if (menu.scripted) await choosing.getByRole("button", { name: "One more" }).click();
    else await choosing.getByLabel("Quantity").fill("2");
    await choosing.getByRole("button", { name: /^Save/ }).click();
    await expect(choosing).toHaveCount(0);
    await expect(line).toHaveCount(0);
    await expect(menu.order).toContainText("Large, Oat");
    await expect(menu.order.getByText("$16.40").first()).toBeVisible();
  });

  test("without a table the order asks for a name, is not sent without one, and takes the one in the address", {
    annotation: { type: "requirements", description: "POS-01 POS-18" },
  }, async ({ menu, payment }) => {
    await menu.open("?n=Ann");
    await menu.add("Flat White");
    await menu.openOrder();
    await expect(menu.nameField).toHaveValue("Ann");
    await menu.nameField.fill("");
    await menu.proceed.click();
    await expect(menu.nameField).toBeFocused();
    await menu.nameField.fill("Grace");
    await menu.pay();
    await payment.expectState("form");
  });

  test("a live business says Proceed to Payment", {
    annotation: { type: "requirements", description: "POS-20" },
  }, async ({ menu }) => {
    await menu.open("?t=1", "tahbella");
    await menu.add("Lemon Sorbet");
    await menu.openOrder();
    await expect(menu.proceed).toHaveText("Proceed to Payment");
  });

  test("the same basket ordered twice is the same transaction", async ({ menu, page }) => {
    const first = await menu.orderOne();
    await page.goBack();
    if (menu.scripted) {
      await menu.openOrder();
    }
    expect(await menu.pay()).toBe(first);
  });
});

test("the server prices the order; the browser's amount is only a check", {
  annotation: { type: "requirements", description: "POS-28 POS-29" },
}, async ({ menu, page, request }) => {
  await menu.open();
  const call = page.waitForRequest((r) => r.url().endsWith("/api/pos") && r.method() === "POST");
  await menu.add("Flat White");
  await menu.openOrder();
  await menu.pay();
  const body = (await call).postDataJSON();
  expect(body).toMatchObject({ description: "Food Order", source: "diy-pos", trxRef: "", table: "4", amount: "4.90" });

  const cheap = await request.post("/api/pos", {
    headers: { "Idempotency-Key": crypto.randomUUID() },
    data: { ...body, amount: "0.10" },
  });
  expect(cheap.status()).toBe(409);
  expect((await cheap.json()).amount).toBe("4.90");
});

test("the page shows that the order is being sent, with the amount", {
  annotation: { type: "requirements", description: "POS-22 POS-26" },
}, async ({ menu, page }) => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route("**/api/pos", async (route) => {
    await held;
    await route.continue();
  });
  await menu.open();
  await menu.add("Flat White");
  await menu.openOrder();
  await menu.proceed.click();
  await expect(page.getByText("Preparing Payment")).toBeVisible();
  await expect(menu.order).toContainText("$4.90");
  release();
  await page.waitForURL(/\/pos\/panezski\/[^/]+$/);
});

test("an order without a transaction goes back to the menu with everything still chosen", {
  annotation: { type: "requirements", description: "POS-24" },
}, async ({ menu, page }) => {
  await page.route("**/api/pos", (route) => route.fulfill({ json: {} }));
  await menu.open();
  await menu.add("Flat White");
  await menu.openOrder();
  await menu.proceed.click();
  await expect(menu.viewOrder).toBeVisible();
  await menu.expectQuantity("Flat White", 1);
});
