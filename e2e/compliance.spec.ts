import type { Page } from "@playwright/test";
import { expectAccessible } from "./inspect";
import { signIn } from "./people";
import { command } from "./program";
import { expect, test } from "./test";

// open makes and shows a new record, because a record is signed only once.
async function open(page: Page): Promise<void> {
  const people = ["--person", "Mina Haddad:address,licence,dob", "--person", "Robin Okafor:address,dob"];
  const made = await command(
    ...["compliance", "create", "--name", "Panezski Bakery", "--admin", "demo@forecourt.test", ...people, "--json"],
  );
  const { id } = JSON.parse(made) as { id: string };
  await signIn(page, "demo@forecourt.test");
  await page.goto(`/compliance/${id}`);
  await page.getByRole("heading", { name: "Account to debit" }).waitFor();
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
  await expect(page.getByText("1 of 2 people complete")).toBeVisible();
  const front = page.getByRole("img", { name: "Front of the licence" });
  await expect.poll(() => front.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Remove Back" }).click();
  await expect(page.getByRole("img", { name: "Back of the licence" })).toHaveCount(0);
  await page.getByRole("link", { name: /Robin Okafor/ }).click();
  await expect(page.getByLabel("Licence number")).toHaveCount(0);
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
