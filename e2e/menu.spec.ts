import { expectInside } from "./inspect";
import { expect, test } from "./test";

test("the menu shows its business, its badge and what can be ordered", {
  annotation: {
    type: "requirements",
    description: "ROUTE-20 ROUTE-22 POS-02 POS-03 POS-04 POS-05 POS-06 POS-07 POS-08 POS-10 CONST-01 CHROME-09 PAY-07",
  },
  tag: "@nojs",
}, async ({ menu, page }) => {
  await menu.open();
  await expect(page).toHaveTitle(/Panezski/);
  await expect(page.getByRole("banner")).toContainText("Panezski");
  await expect(page.getByRole("banner").locator("img")).toBeVisible();
  await expect(page.getByText("TEST MODE", { exact: true })).toBeVisible();

  const coffee = page.locator("section").filter({ has: page.getByRole("heading", { name: "Coffee and tea" }) });
  await expect(coffee.getByRole("heading", { name: "Flat White" })).toBeVisible();
  await expect(coffee.getByRole("heading", { name: "Pale Ale" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Birthday Cake Slice" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Sunday roast" })).toHaveCount(0);

  await expect(menu.row("Flat White")).toContainText("$4.90");
  await expect(menu.row("Butter Croissant")).toContainText("Three days in the making");
  await expect(page.getByRole("contentinfo")).toContainText("Powered by");

  await menu.open("", "tahbella");
  await expect(page.getByRole("banner")).toContainText("Tahbella");
  await expect(page.getByText("TEST MODE", { exact: true })).toHaveCount(0);
});

test("plus and minus change quantity and total, down to zero; the bar shows the table and stays in view", {
  annotation: { type: "requirements", description: "POS-09 POS-12 POS-14 POS-01 POS-11 POS-34" },
  tag: ["@nojs", "@desktop"],
}, async ({ menu }) => {
  await menu.open("?t=5");
  await menu.add("Flat White");
  await menu.expectQuantity("Flat White", 1);
  await menu.add("Flat White");
  await menu.expectQuantity("Flat White", 2);
  await menu.add("Butter Croissant");
  await expect(menu.bar).toContainText("Table 5");
  await expect(menu.bar).toContainText("$15.30");
  await menu.remove("Flat White");
  await expect(menu.bar).toContainText("$10.40");
  await menu.remove("Flat White");
  await menu.expectQuantity("Flat White", 0);
  const minus = menu.row("Flat White").getByRole("button", { name: "Remove Flat White" });
  await expect(minus).toBeVisible();
  await expect(minus).toHaveCSS("pointer-events", "none");
  await minus.press("Enter");
  await menu.expectQuantity("Flat White", 0);
  await expect(menu.bar).toContainText("$5.50");
  for (const item of ["Butter Croissant", "Plum Martini"]) {
    await menu.row(item).scrollIntoViewIfNeeded();
    await expect(menu.viewOrder).toBeInViewport();
  }
});

test("an unknown client gets the invalid-merchant screen", {
  annotation: { type: "requirements", description: "POS-25" },
}, async ({ menu, page }) => {
  await menu.open("", "nosuch");
  await expect(page.getByRole("heading", { name: "Invalid merchant" })).toBeVisible();
});

test("every item's buttons are named after it; without a table the bar shows none", {
  annotation: { type: "requirements", description: "POS-09 POS-11" },
}, async ({ menu, page }) => {
  await menu.open("?n=Ann");
  const rows = page.locator("li.item");
  await expect(rows).toHaveCount(40);
  const named = await rows.evaluateAll((all) =>
    all.map((row) => {
      const name = row.querySelector("h3")?.textContent?.trim();
      const verb = row.querySelector(".step [name=choose]") ? "Choose" : "Add"; // for an item with options
      const labels = [...row.querySelectorAll("button")].map((button) => button.getAttribute("aria-label"));
      return labels.filter((label) => label === `${verb} ${name}`).length;
    }),
  );
  expect(named).toEqual(Array(40).fill(1));
  await menu.add("Pale Ale");
  await expect(menu.bar).toContainText("$");
  await expect(menu.bar).not.toContainText("Table");
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

test("with JavaScript View Order is inactive while the order costs nothing", {
  annotation: { type: "requirements", description: "POS-13" },
}, async ({ menu }) => {
  await menu.open();
  await menu.add("Flat White");
  await expect(menu.viewOrder).toBeEnabled();
  await menu.remove("Flat White");
  await expect(menu.viewOrder).toBeDisabled();
});

test("without JavaScript an empty order says what to do, and nothing is lost", {
  annotation: { type: "requirements", description: "POS-13" },
  tag: "@nojs-only",
}, async ({ menu, page }) => {
  await menu.open();
  await menu.viewOrder.press("Enter");
  await expect(page.getByRole("main")).toContainText(/nothing/i);
  await page.getByRole("link", { name: /menu/i }).first().click();
  await menu.add("Flat White");
  await menu.expectQuantity("Flat White", 1);
});

test("closing the order sheet leaves the page and the focus where they were", async ({ menu, page }) => {
  await menu.open("?t=4#c2");
  await menu.row("Plum Martini").scrollIntoViewIfNeeded();
  await menu.add("Plum Martini");
  await expect(page.locator("fc-order-basket > .island")).toBeAttached();
  // On the screen, once the page is at rest: what lies above may get its height only now, and the browser scrolls along with it.
  const row = page.locator("li.item", { hasText: "Plum Martini" }); // by its text, because nothing below the sheet has a role
  const place = () => row.evaluate((item) => Math.round(item.getBoundingClientRect().top));
  let before: number | undefined;
  const ways = {
    close: () => menu.order.getByRole("button", { name: "Close" }).click(),
    "add more": () => menu.addMore.click(),
    back: () => page.goBack(),
    escape: () => page.keyboard.press("Escape"),
    backdrop: () => page.mouse.click(180, 20),
  };
  for (const [name, leave] of Object.entries(ways)) {
    await menu.viewOrder.press("Enter");
    await expect(menu.proceed).toBeVisible();
    before ??= await place();
    await leave();
    await expect(menu.order, name).toBeHidden();
    await expect(menu.viewOrder, name).toBeFocused();
    expect(await place(), name).toBe(before);
  }
});

test("the back button also closes the sheet of an item's options, and nothing moves", async ({ menu, page }) => {
  await menu.open("?t=4#c2");
  const choose = menu.row("Iced Latte").getByRole("button", { name: "Choose Iced Latte" });
  await choose.scrollIntoViewIfNeeded();
  // On the screen: what lies above may get its height only now, and the browser scrolls along with it.
  const place = () => choose.evaluate((button) => Math.round(button.getBoundingClientRect().top));
  let before: number | undefined;
  const ways = {
    back: () => page.goBack(),
    close: () => menu.order.getByRole("button", { name: "Close" }).click(),
    escape: () => page.keyboard.press("Escape"),
  };
  for (const [name, leave] of Object.entries(ways)) {
    await choose.press("Enter");
    await expect(menu.order.getByRole("heading", { name: "Iced Latte" })).toBeVisible();
    // Measured once the page is at rest: until the content above has its height, the page keeps scrolling to the category in its address.
    before ??= await place();
    await leave();
    await expect(menu.order, name).toBeHidden();
    await expect(choose, name).toBeFocused();
    expect(await place(), name).toBe(before);
  }
  await expect(page).toHaveURL(/\/pos\/panezski\?t=4$/);
});

test("a filter leads to its results, and its boxes are large enough to tap", { tag: "@nojs" }, async ({
  menu,
  page,
}) => {
  await menu.open();
  const asks = page.getByText("Allergens and diets");
  await asks.click();
  const box = page.getByRole("checkbox", { name: "Milk" });
  expect((await box.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  expect((await box.locator("..").boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await box.check();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByText(/Without milk: \d+ of 40 items/)).toBeInViewport();
  await expect(page.locator("#shown")).toBeFocused();
  await expect(box).toBeHidden();
});

test("a press anywhere on a row opens its item, also one without options, and plus lies above", async ({ menu }) => {
  await menu.open();
  const row = menu.row("Butter Croissant");
  await row.click({ position: { x: 40, y: 60 } });
  await expect(menu.order.getByRole("heading", { name: "Butter Croissant" })).toBeVisible();
  await menu.order.locator("button[type=submit]").last().click();
  await menu.expectQuantity("Butter Croissant", 1);
  await menu.add("Butter Croissant");
  await menu.expectQuantity("Butter Croissant", 2);
  await expect(menu.order).toBeHidden();
});

test("what has to be chosen is named on the button, and a press without it says so at its group", async ({ menu }) => {
  await menu.open();
  await menu.row("Eggs on Sourdough").getByRole("button", { name: "Choose Eggs on Sourdough" }).click();
  const sheet = menu.order;
  await sheet.getByRole("button", { name: "Choose eggs", exact: true }).click();
  await expect(sheet.getByRole("group", { name: /Eggs/ })).toContainText("Choose one for Eggs");
  await expect(sheet.getByLabel("Poached")).toBeFocused();
  await sheet.getByLabel("Poached").check();
  await expect(sheet.getByText("Choose one for Eggs")).toBeHidden();
  await sheet.getByRole("button", { name: "One more" }).click();
  await sheet.getByRole("button", { name: "Add · $31.00" }).click();
  await menu.expectQuantity("Eggs on Sourdough", 2);
});

test("the first screen of a phone shows four dishes, and the bar comes with the first item", async ({ menu, page }) => {
  await menu.open();
  await expect(page.locator("li.item").nth(3)).toBeInViewport({ ratio: 1 });
  await expect(menu.bar).not.toBeInViewport();
  await menu.add("Butter Croissant");
  await expect(menu.bar).toBeInViewport({ ratio: 1 });
});

test("the bar of categories marks what was tapped, though it ends the page", { tag: "@desktop" }, async ({
  menu,
  page,
}) => {
  await menu.open();
  await page.getByRole("link", { name: "Cold drinks" }).click();
  await expect(page.getByRole("heading", { name: "Cold drinks" })).toBeInViewport();
  await expect(page.locator(".chips [aria-current=true]")).toHaveText("Cold drinks");
  await page.mouse.wheel(0, -40_000);
  await expect(page.locator(".chips [aria-current=true]")).toHaveText("From the oven");
});

test("removing the last of an item hides its minus, and the focus stays beside it", async ({ menu }) => {
  await menu.open();
  await menu.add("Flat White");
  await menu.row("Flat White").getByRole("button", { name: "Remove Flat White" }).press("Enter");
  await expect(menu.row("Flat White").getByRole("button", { name: "Add Flat White" })).toBeFocused();
});

test("the bar of categories follows the page", async ({ menu, page }) => {
  await menu.open();
  const current = page.locator(".chips [aria-current=true]");
  for (const category of ["From the oven", "Coffee and tea", "From the bar"]) {
    await page.getByRole("heading", { name: category }).evaluate((heading) => heading.scrollIntoView());
    await expect(current).toHaveText(category);
    await expect(current).toBeInViewport({ ratio: 1 });
  }
});

test("forced colours keep the signs on the buttons and the mark on the category in view", async ({ menu, page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await menu.open();
  await menu.add("Flat White");
  for (const verb of ["Add", "Remove"]) {
    const sign = menu.row("Flat White").getByRole("button", { name: `${verb} Flat White` });
    expect(await sign.evaluate((button) => getComputedStyle(button).backgroundImage)).toContain("gradient");
  }
  await expect(page.locator(".chips [aria-current=true]")).toHaveCSS("text-decoration-line", "underline");
});

test("at twice the text size nothing is cut off, and a dish shows on the first screen", async ({ menu, page }) => {
  await page.setViewportSize({ width: 180, height: 370 });
  await menu.open();
  await expectInside(page, "the menu at 180 px");
  await expect(page.locator("li.item").first()).toBeInViewport();
  await menu.add("Flat White");
  await expect(menu.viewOrder).toBeInViewport({ ratio: 1 });
});
