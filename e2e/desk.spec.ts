import { cards } from "./payment-page";
import { signIn } from "./people";
import { readQR } from "./qr-reader";
import { expect, test } from "./test";

test("a business makes a pay link, and sees it opened and paid", { tag: "@nojs" }, async ({
  page,
  payment,
  javaScriptEnabled,
}) => {
  await signIn(page, "demo@forecourt.test");
  await page.goto("/desk/panezski");
  const tabs = page.getByRole("navigation", { name: "Desk" });
  await tabs.getByRole("link", { name: "Payments" }).click();
  await tabs.getByRole("link", { name: "Pay links" }).click();
  await page.getByRole("link", { name: "New pay link" }).click();
  await page.getByLabel("Amount in AUD").fill("125");
  await page.getByLabel("What it is for").fill("Wedding cake, deposit");
  await page.getByRole("button", { name: "Make the link" }).click();
  await expect(page.locator(".page-head")).toContainText("Not opened yet");
  await expect(page.getByRole("button", { name: "Copy", exact: true })).toHaveCount(javaScriptEnabled ? 1 : 0);
  const desk = page.url();
  const link = (await page.getByRole("link", { name: /\/pos\/panezski\// }).textContent())?.trim() ?? "";
  const code = page.getByRole("img", { name: "QR code for this pay link" });
  expect(await readQR(page, await code.screenshot())).toBe(link);

  await page.goto(link);
  await page.goto(desk);
  await expect(page.locator(".page-head")).toContainText("Opened");
  await page.goto(link);
  await payment.payWith(cards.approved);
  await payment.expectState("completed");
  await page.goto(desk);
  await expect(page.locator(".page-head")).toContainText("Paid");
  await expect(page.getByText("End this link")).toHaveCount(0);
});

test("the first Tab offers a way past the navigation", { tag: "@desktop" }, async ({ page }) => {
  await signIn(page, "demo@forecourt.test");
  await page.goto("/desk/panezski/tables");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
});

test("the tables of a business print on cards and stickers", { tag: "@desktop" }, async ({ page, baseURL }) => {
  await signIn(page, "demo@forecourt.test");
  await page.goto("/desk/sabona/tables");
  const change = page.locator("details", { hasText: "Change the tables" }); // folded once there are some
  if (!(await change.evaluate((fold) => (fold as HTMLDetailsElement).open))) await change.locator("summary").click();
  for (const [row, area, tables] of [
    [1, "Inside", "1-25"],
    [2, "Terrace", "Window"],
  ]) {
    await page.getByLabel(`Area, row ${row}`).fill(String(area));
    await page.getByLabel(`Tables, row ${row}`).fill(String(tables));
  }
  await page.getByRole("button", { name: "Save tables" }).click();
  for (const [format, pages] of [
    ["a4", 5],
    ["letter", 5],
    ["a4-stickers", 2],
    ["letter-stickers", 1],
  ] as const) {
    await page.getByLabel("What to print on").selectOption(format);
    await page.getByRole("button", { name: "Print view" }).click();
    await page.emulateMedia({ media: "print" });
    const code = page.getByRole("img", { name: "QR code for Table Window" });
    expect(await readQR(page, await code.screenshot()), format).toBe(`${baseURL}/pos/sabona?t=Window`);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b/g)?.length, format).toBe(pages);
    await page.emulateMedia({ media: "screen" });
    await page.getByRole("link", { name: "Tables", exact: true }).last().click();
  }
  for (const [suffix, media] of [
    ["svg", "image/svg+xml"],
    ["png", "image/png"],
  ] as const) {
    const file = await (await page.request.get(`/desk/sabona/tables/code.${suffix}?t=Window`)).body();
    expect(await readQR(page, file, media), suffix).toBe(`${baseURL}/pos/sabona?t=Window`);
  }
});
