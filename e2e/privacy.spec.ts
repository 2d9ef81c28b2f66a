import { readFileSync } from "node:fs";
import { ageProofs } from "./database";
import { expectAccessible } from "./inspect";
import { password, signUp } from "./people";
import { expect, test } from "./test";

test("a person takes a copy of their data, orders the account's erasure, then keeps it @nojs-long", async ({
  page,
  javaScriptEnabled,
}) => {
  const look = async (name: string) => {
    if (javaScriptEnabled) await expectAccessible(page, name); // axe is a script
  };
  const email = await signUp(page);
  await page.goto("/privacy");
  await page.getByRole("link", { name: "Your data: take a copy, or erase your account" }).click();
  await ageProofs(email);
  await look("/account/data");
  await page.getByRole("button", { name: "Download a copy" }).click();
  await expect(page.getByRole("heading", { name: "Confirm that it is you" })).toBeVisible();
  await look("/kept");
  await page.getByLabel("Password", { exact: true }).fill(password);
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Confirm and continue" }).click();
  const file = await waiting;
  expect(file.suggestedFilename()).toBe("your-data.zip");
  expect(
    readFileSync(await file.path())
      .subarray(0, 2)
      .toString(),
  ).toBe("PK");

  await page.goto("/account/data");
  await page.getByLabel("Your email address, to be sure").fill("somebody@example.com");
  await page.getByRole("button", { name: "Erase the account" }).click();
  await expect(page.getByText("Enter this account’s email address").first()).toBeVisible();
  await page.getByLabel("Your email address, to be sure").fill(email);
  await page.getByRole("button", { name: "Erase the account" }).click();
  await expect(page.getByText("This account will be erased on")).toBeVisible();
  await look("/account/data, ordered");
  await page.getByRole("button", { name: "Keep the account" }).click();
  await expect(page.getByText("Your account stays. Nothing was erased.")).toBeVisible();
});
