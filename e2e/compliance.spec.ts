import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { startProgram } from "./program";
import { expect, test } from "./test";

// A program of its own: the demo's record is signed once.
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from the pattern
  baseURL: async ({}, use, info) => {
    const program = await startProgram(`compliance-${info.testId}`, ["serve"], { FORECOURT_ADDR: "127.0.0.1:0" });
    await use(program.url);
    await program.stop();
  },
});

async function open(page: Page): Promise<void> {
  await page.goto("/compliance/demo-compliance");
  await page.getByLabel("Email").fill("demo@forecourt.test");
  await page.getByLabel("Password", { exact: true }).fill("Demo-pass-1");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Account to debit" }).waitFor();
}

// holds checks what every state of the page has to be: readable for all, and no wider than a phone.
async function holds(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`))).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
}

test("COMPL-10 COMPL-11 COMPL-12 COMPL-16 COMPL-21 a merchant signs and shows who somebody is", {
  tag: "@nojs",
}, async ({ page, javaScriptEnabled }) => {
  await open(page);
  if (javaScriptEnabled) {
    await holds(page);
    await expect(page.getByRole("button", { name: "Please tick the box to acknowledge" })).toBeDisabled();
  }
  await page.getByLabel(/I have read and acknowledge/).check();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(page.getByRole("link", { name: "Enter the BSB" })).toBeVisible();
  await page.getByLabel("Account name").fill("Panezski Bakery");
  await page.getByLabel("BSB").fill("062-000");
  await page.getByLabel("Account number").fill("12345678");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByRole("heading", { name: "Identity details" }).waitFor();
  await page.reload();

  await page.getByLabel("Street").fill("7 King Street");
  await page.getByLabel("Suburb").fill("Newtown");
  await page.getByLabel("State", { exact: true }).selectOption("NSW");
  await page.getByLabel("Postcode").fill("2042");
  await page.getByLabel("Date of birth").fill("1981-02-03");
  await page.getByLabel("Licence number").fill("CNRY 7731");
  await page.getByLabel("Issued in").selectOption("NSW");
  await page.getByLabel("Expiry date").fill("2044-12-31");
  const photo = { name: "front.png", mimeType: "image/png", buffer: await page.screenshot() };
  await page.locator("#dlfront").setInputFiles(photo);
  await page
    .locator("#dlback")
    .setInputFiles({ name: "back.heic", mimeType: "image/heic", buffer: Buffer.from("\0\0\0\x18ftypheic\0\0\0\0") });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("link", { name: /The photo of the back is HEIC/ })).toBeVisible();
  await expect(page.getByLabel("Street")).toHaveValue("7 King Street");
  if (javaScriptEnabled) await holds(page);

  await page.locator("#dlback-camera").setInputFiles(photo);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("1 of 2 people complete")).toBeVisible();
  const front = page.getByRole("img", { name: "Front of the licence" });
  await expect.poll(() => front.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Remove Back" }).click();
  await expect(page.getByRole("img", { name: "Back of the licence" })).toHaveCount(0);
  await page.getByRole("link", { name: /Robin Okafor/ }).click();
  await expect(page.getByLabel("Licence number")).toHaveCount(0);
});

test("COMPL-03 a spinner shows until the page's data arrives", async ({ page }) => {
  await open(page);
  let arrive = (): void => {};
  const wait = new Promise<void>((done) => {
    arrive = done;
  });
  await page.route("**/compliance/demo-compliance", async (route) => {
    if (route.request().headers()["hx-request"]) await wait;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole("status", { name: "Loading" })).toBeVisible();
  arrive();
  await expect(page.getByRole("heading", { name: "Account to debit" })).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
});
