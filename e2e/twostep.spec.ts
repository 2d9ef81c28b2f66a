import { ageProofs } from "./database";
import { expectAccessible } from "./inspect";
import { code, password, signUp } from "./people";
import { expect, test } from "./test";

test("a person sets up two-step sign-in, signs in and confirms with a code and a recovery code, and turns it off @nojs-long", async ({
  page,
  javaScriptEnabled,
}) => {
  test.slow();
  const look = async (name: string) => {
    if (javaScriptEnabled) await expectAccessible(page, name); // axe is a script
  };
  const email = await signUp(page);
  await page.goto("/account");
  await page.getByRole("link", { name: "Set up two-step sign-in" }).click();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("img", { name: "QR code for the key below" })).toBeVisible();
  await look("/account/two-step, setting up");
  const key = (await page.locator(".key-text").textContent()) ?? "";
  await page.getByLabel("Code from your app").fill("000000");
  await page.getByRole("button", { name: "Turn on two-step sign-in" }).click();
  await expect(page.getByRole("alert")).toContainText("That code is wrong, expired or already used.");
  await page.getByLabel("Code from your app").fill(code(key));
  await page.getByRole("button", { name: "Turn on two-step sign-in" }).click();
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  await look("the recovery codes");
  const recovery = await page.locator(".recovery-codes code").allTextContents();
  expect(recovery).toHaveLength(10);
  await page.getByRole("link", { name: "I have kept them" }).click();

  const signIn = async () => {
    await page.getByRole("button", { name: "Sign out here" }).click();
    await page.goto("/signin?to=/account");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  };
  await signIn();
  await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Code", { exact: true })).toHaveAttribute("autocomplete", "one-time-code");
  await look("/signin/code");
  await page.keyboard.type(code(key, 1));
  await page.keyboard.press("Enter");
  await expect(page.getByText(", with a code from an app")).toBeVisible();
  await signIn();
  await page.getByText("Use a recovery code").click();
  await page.getByLabel("Recovery code").fill(recovery[0] ?? "");
  await page.getByRole("button", { name: "Continue with a recovery code" }).click();
  await expect(page.getByText("You have 9 recovery codes left.")).toBeVisible();

  await ageProofs(email);
  await page.goto("/account/data");
  await page.getByRole("button", { name: "Download a copy" }).click();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Code from your app, or a recovery code").fill(recovery[0] ?? "");
  await page.getByRole("button", { name: "Confirm and continue" }).click();
  await expect(page.getByRole("alert")).toContainText("That code is wrong, expired or already used.");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Code from your app, or a recovery code").fill(recovery[2] ?? "");
  const copy = page.waitForEvent("download");
  await page.getByRole("button", { name: "Confirm and continue" }).click();
  expect((await copy).suggestedFilename()).toBe("your-data.zip");

  await page.goto("/account");
  await page.getByRole("link", { name: "Change two-step sign-in" }).click();
  await look("/account/two-step");
  const off = page.getByRole("region", { name: "Turn it off" });
  await off.getByLabel("Password", { exact: true }).fill(password);
  await off.getByLabel("Code from your app, or a recovery code").fill(recovery[1] ?? "");
  await page.getByRole("button", { name: "Turn off two-step sign-in" }).click();
  await expect(page.getByText("Two-step sign-in is off.")).toBeVisible();
});
