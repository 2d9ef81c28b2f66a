import type { Page } from "@playwright/test";
import { FormPage } from "./form-page";
import { expectAccessible } from "./inspect";
import { signIn } from "./people";
import { expect, test } from "./test";

// open shows the record of a new application that staff have accepted, because a record is signed only once.
async function open(page: Page): Promise<void> {
  const form = new FormPage(page);
  const email = await form.begin();
  await form.fillIn("Panezski Bakery");
  const reference = await form.submit();
  const staff = await page.context().browser()?.newContext();
  const decision = await staff?.newPage();
  if (!decision) throw new Error("no browser");
  await signIn(decision, "staff@forecourt.test");
  await decision.goto(`/staff/forms/${reference}`);
  await decision.getByRole("radio", { name: "Approve" }).check();
  await decision.getByRole("button", { name: "Record decision" }).click();
  await expect(decision.locator("header .pill")).toHaveText("Approved");
  const record = await recordOf(decision, email);
  await staff?.close();
  await page.goto(record);
  await page.getByRole("heading", { name: "Account to debit" }).waitFor();
}

// recordOf returns the address that the letter about the record leads to. Another person reads it, because each page names its reader.
async function recordOf(page: Page, email: string): Promise<string> {
  let address = "";
  await expect(async () => {
    const outbox = await (await page.request.get("/dev/outbox")).text();
    for (const [path] of outbox.matchAll(/\/dev\/outbox\/[0-9a-f-]{36}/g)) {
      const letter = await (await page.request.get(path)).text();
      if (letter.includes(email)) address ||= /\/compliance\/[\w-]+/.exec(letter)?.[0] ?? "";
    }
    expect(address).not.toBe("");
  }).toPass();
  return address;
}

test("a merchant signs the agreement and identifies a person", {
  annotation: { type: "requirements", description: "COMPL-10 COMPL-11 COMPL-12 COMPL-16 COMPL-21" },
  tag: "@nojs",
}, async ({ page, javaScriptEnabled }) => {
  await open(page);
  if (javaScriptEnabled) {
    await expectAccessible(page, "the agreement");
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
  await expect(page.getByRole("link", { name: /The photo of the back is in HEIC format/ })).toBeVisible();
  await expect(page.getByLabel("Street")).toHaveValue("7 King Street");
  if (javaScriptEnabled) await expectAccessible(page, "a refused photo");

  await page.locator("#dlback-camera").setInputFiles(photo);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("That is all we need.")).toBeVisible();
  const front = page.getByRole("img", { name: "Front of the licence" });
  await expect.poll(() => front.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Remove Back" }).click();
  await expect(page.getByRole("img", { name: "Back of the licence" })).toHaveCount(0);
});

test("a spinner shows until the page's data arrives", {
  annotation: { type: "requirements", description: "COMPL-03" },
}, async ({ page }) => {
  await open(page);
  let arrive = (): void => {};
  const wait = new Promise<void>((done) => {
    arrive = done;
  });
  await page.route("**/compliance/*", async (route) => {
    if (route.request().headers()["hx-request"]) await wait;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole("status", { name: "Loading" })).toBeVisible();
  arrive();
  await expect(page.getByRole("heading", { name: "Account to debit" })).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
});
