import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectInside } from "./inspect";
import { MenuPage } from "./menu-page";
import { PaymentPage } from "./payment-page";
import { signUp } from "./people";
import { expect, test } from "./test";

// picture is a red square.
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGPY4qyFFTEMLQkAXexIQRnmqF8AAAAASUVORK5CYII=",
  "base64",
);

// makeShop signs an owner up and opens the desk of a new shop, whose name is one word wider than a phone.
async function makeShop(page: Page): Promise<string> {
  const code = `shop${randomUUID().replace(/[^a-f]/g, "")}`.padEnd(26, "g");
  await signUp(page);
  for (const [step, form] of [
    ["welcome", { firstName: "Ann", lastName: "Lee", name: code }],
    ["kind", { answer: "solution" }],
    ["refer", { answer: "yes" }],
    ["products", { product: "lbs" }],
  ] as const) {
    const answer = await page.request.post(`/merchant/admin?step=${step}`, {
      form,
      headers: { "Sec-Fetch-Site": "same-origin" },
      maxRedirects: 0,
    });
    expect(answer.status(), step).toBe(303);
  }
  await page.goto("/desk/new");
  await page.getByRole("button", { name: "Create business" }).click();
  return code;
}

const section = "Donaudampfschifffahrtskaffeegedecke";
const dish = "Donaudampfschifffahrtskapitaenskaffee";

test("an owner makes a menu, and a guest orders from it once it is published; names of one long word fit the phone @nojs", async ({
  browser,
  baseURL,
  page,
  javaScriptEnabled,
}) => {
  const code = await makeShop(page);
  await page.getByRole("link", { name: "Make your menu" }).click();

  await page.getByLabel("First category").fill(section);
  await page.getByRole("button", { name: "Add category" }).click();
  await page.getByRole("link", { name: "Add options" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).first().fill("Size");
  await page.locator("[name='choices.0.name']").fill("Small");
  await page.locator("[name='choices.1.name']").fill("Large");
  await page.locator("[name='choices.1.priceMinor']").fill("0.50");
  await page.getByRole("button", { name: "Add options" }).click();
  await page.getByRole("link", { name: `Add an item to ${section}` }).click();
  await page.getByLabel("Name", { exact: true }).fill(dish);
  await page.getByLabel("Price in AUD").fill("cheap");
  await page.getByRole("checkbox", { name: "Size" }).check();
  await page
    .getByLabel("Picture (optional)")
    .setInputFiles({ name: "cup.png", mimeType: "image/png", buffer: picture });
  await page.getByRole("button", { name: "Add item", exact: true }).click();
  await expect(page.getByRole("img", { name: "The picture of this item" })).toBeVisible();
  await page.getByLabel("Price in AUD").fill("4.50");
  await page.getByRole("button", { name: "Add item", exact: true }).click();
  await expect(page.getByText("Saved in the draft.")).toBeVisible();
  await page.getByRole("link", { name: "Publish" }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Everything is published")).toBeVisible();

  const guest = await (await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled })).newPage();
  const menu = new MenuPage(guest, javaScriptEnabled ?? true);
  await expect(async () => {
    await menu.open("?t=3", code);
    await expect(menu.row(dish)).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(menu.row(dish).locator("img")).toHaveAttribute("src", /^\/picture\/[0-9a-f]{32}$/);
  await expectInside(guest, "menu");
  await menu
    .row(dish)
    .getByRole("button", { name: `Choose ${dish}` })
    .click();
  await guest.getByLabel("Large").check();
  await guest.getByRole("button", { name: /^Add (·|to order)/ }).click();
  await expect(menu.bar).toContainText("$5.00");
  await menu.openOrder();
  await expect(menu.order).toContainText("Large");
  await expectInside(guest, "order");
  await menu.pay();
  await new PaymentPage(guest).expectState("form");
  await expect(guest.locator("#payment")).toContainText("5.00");
  await expectInside(guest, "payment");
  await page.goto(`/desk/${code}`);
  await expectInside(page, "desk");
  await page.goto(`/desk/${code}/menu`);
  await expectInside(page, "menu of the desk");
  await guest.context().close();
});

test("a shop in pounds shows pounds on its menu, in the bar and in the order, and the payment page names them", async ({
  menu,
  page,
  payment,
}) => {
  const code = await makeShop(page);
  await page.goto(`/desk/${code}/shop`);
  await page.getByLabel("Currency").selectOption("Pound sterling (GBP)");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.goto(`/desk/${code}/menu`);
  await page.getByRole("button", { name: "Start from an example" }).click();
  await expect(page.locator("#studio")).toContainText("£");

  // What was saved is in sight, and so is the word for it.
  await page.locator("#arrange li > a").last().click();
  await page.getByLabel("Price in GBP").fill("9.10");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator("li:target")).toContainText("£9.10");
  await expect(page.locator("li:target")).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("Saved in the draft.")).toBeInViewport({ ratio: 1 });

  await page.getByRole("link", { name: "Publish" }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Everything is published")).toBeVisible();

  await expect(async () => {
    await menu.open("?t=3", code);
    await expect(menu.row("Flat White")).toContainText("£4.80", { timeout: 100 });
  }).toPass();
  await menu.row("Flat White").getByRole("button", { name: "Choose Flat White" }).click();
  await page.getByLabel("Large").check();
  const add = page.getByRole("button", { name: /^Add ·/ });
  await expect(add).toContainText("£5.60");
  await add.click();
  await expect(menu.bar).toContainText("£5.60");
  await menu.openOrder();
  await expect(menu.order.locator(".line .money, .total .money")).toHaveText(["£5.60", "£5.60"]);
  await menu.pay();
  await payment.expectState("form");
  await expect(page.locator("#payment")).toContainText("5.60 GBP");
  await expect(page.locator("#payment")).not.toContainText("$");
});

// bigMenu returns a menu of 500 items and 60 option groups as a spreadsheet writes it.
function bigMenu(): Buffer {
  const rows = ["category,name,description,price,option groups,choice of,choose,allergens"];
  for (let n = 0; n < 500; n++) {
    const groups = `Choice ${n % 60}; Choice ${(n + 7) % 60}`;
    rows.push(
      `Page ${Math.floor(n / 20) + 1},Dish ${n + 1},What dish ${n + 1} is made of,${10 + (n % 9)}.50,${groups},,,none`,
    );
  }
  for (let n = 0; n < 60; n++) {
    for (const [k, name] of ["Plain", "More", "Most"].entries()) {
      rows.push(`,${name},,${k}.00,,Choice ${n},${k === 0 ? "0 to 1" : ""},`);
    }
  }
  return Buffer.from(rows.join("\n"));
}

test("a menu of 500 items and 60 option groups is imported and published, and a guest orders from it", async ({
  page,
  baseURL,
  browser,
}) => {
  const code = await makeShop(page);
  await page.goto(`/desk/${code}/menu/import`);
  await page
    .getByLabel("File", { exact: true })
    .setInputFiles({ name: "menu.csv", mimeType: "text/csv", buffer: bigMenu() });
  await page.getByRole("button", { name: "See what changes" }).click();
  await page.getByRole("button", { name: /^Import \d+ changes into the draft$/ }).click();
  await expect(page.getByText("The file was imported into your draft.")).toBeVisible();
  for (const path of ["menu", "menu/soldout", "menu/versions", "menu/publish"]) {
    const size = (await (await page.request.get(`/desk/${code}/${path}`)).body()).length;
    expect.soft(size, `${path} has ${size} bytes`).toBeLessThan(300_000);
  }
  await page.getByRole("link", { name: "Publish", exact: true }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Everything is published")).toBeVisible();

  const guest = await (await browser.newContext({ baseURL: baseURL ?? "" })).newPage();
  const menu = new MenuPage(guest, true);
  await expect(async () => {
    await menu.open("?t=3", code);
    await expect(menu.row("Dish 500")).toBeVisible({ timeout: 500 });
  }).toPass();
  await menu.row("Dish 500").getByRole("button", { name: "Choose Dish 500" }).click();
  await guest
    .getByRole("radio", { name: /^Most/ })
    .or(guest.getByRole("checkbox", { name: /^Most/ }))
    .first()
    .check();
  await guest.getByRole("button", { name: /^Add (·|to order)/ }).click();
  await menu.openOrder();
  await expect(menu.order).toContainText("Most");
  await menu.pay();
  await new PaymentPage(guest).expectState("form");
  await guest.context().close();
});
