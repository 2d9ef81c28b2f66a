import { randomUUID } from "node:crypto";
import { MenuPage } from "./menu-page";
import { PaymentPage } from "./payment-page";
import { signUp } from "./people";
import { expect, test } from "./test";

// A red square.
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGPY4qyFFTEMLQkAXexIQRnmqF8AAAAASUVORK5CYII=",
  "base64",
);

test("an owner makes a menu, and a guest orders from it once it is published @nojs", async ({
  browser,
  baseURL,
  page,
  javaScriptEnabled,
}) => {
  const code = `shop${randomUUID().replace(/[^a-f]/g, "")}`;
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
  await page.getByRole("link", { name: "Make your menu" }).click();

  await page.getByLabel("First category").fill("Coffee");
  await page.getByRole("button", { name: "Add category" }).click();
  await page.getByRole("link", { name: "Add an option group" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).first().fill("Size");
  await page.locator("[name='choices.0.name']").fill("Small");
  await page.locator("[name='choices.1.name']").fill("Large");
  await page.locator("[name='choices.1.priceMinor']").fill("0.50");
  await page.getByRole("button", { name: "Add option group" }).click();
  await page.getByRole("link", { name: "Add an item to Coffee" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Flat White");
  await page.getByLabel("Price", { exact: true }).fill("cheap");
  await page.getByRole("checkbox", { name: "Size" }).check();
  await page
    .getByLabel("Picture (optional)")
    .setInputFiles({ name: "cup.png", mimeType: "image/png", buffer: picture });
  await page.getByRole("button", { name: "Add item", exact: true }).click();
  await expect(page.getByRole("img", { name: "The picture of this item" })).toBeVisible();
  await page.getByLabel("Price", { exact: true }).fill("4.50");
  await page.getByRole("button", { name: "Add item", exact: true }).click();
  await expect(page.getByText("Saved in the draft.")).toBeVisible();
  await page.getByRole("link", { name: "Publish" }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Everything is published")).toBeVisible();

  const guest = await (await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled })).newPage();
  const menu = new MenuPage(guest, javaScriptEnabled ?? true);
  await expect(async () => {
    await menu.open("?t=3", code);
    await expect(menu.row("Flat White")).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(menu.row("Flat White").locator("img")).toHaveAttribute("src", /^\/picture\/[0-9a-f]{32}$/);
  await menu.row("Flat White").getByRole("button", { name: "Choose Flat White" }).click();
  await guest.getByLabel("Large").check();
  await guest.getByRole("button", { name: "Add to order" }).click();
  await expect(menu.bar).toContainText("$5.00");
  await menu.openOrder();
  await expect(menu.order).toContainText("Large");
  await menu.pay();
  await new PaymentPage(guest).expectState("form");
  await expect(guest.locator("#payment")).toContainText("5.00");
  await guest.context().close();
});
