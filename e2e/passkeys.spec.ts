import type { Page } from "@playwright/test";
import { ageProofs } from "./database";
import { expectAccessible } from "./inspect";
import { password, setUpTwoStep, signUp } from "./people";
import { expect, test } from "./test";

// Passkeys need a site with a host name.
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from the pattern
  baseURL: async ({}, use) => {
    await use(process.env.E2E_URL?.replace("127.0.0.1", "localhost"));
  },
});

// newDevice gives the browser a device that keeps passkeys. touch sets whether the person responds when it asks.
async function newDevice(page: Page): Promise<{ touch(answers: boolean): Promise<void>; passkeys(): Promise<number> }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    touch: async (enabled) => {
      await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
    passkeys: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
  };
}

test("a person adds a passkey, signs in with its button and from the browser’s list, and removes it", async ({
  page,
}) => {
  test.slow();
  const device = await newDevice(page);
  await signUp(page);
  await page.goto("/account");
  await page.getByRole("link", { name: "Set up a passkey" }).click();
  await expectAccessible(page, "/account/passkeys");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expectAccessible(page, "adding a passkey");
  await page.getByLabel("Name").fill("My phone");
  await page.getByRole("button", { name: "Create the passkey" }).click();
  await expect(page.getByText("Your passkey is ready.")).toBeVisible();
  expect(await device.passkeys()).toBe(1);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Create the passkey" }).click();
  await expect(page.getByRole("alert")).toContainText("This device already has a passkey for your account.");

  const signOut = async () => {
    await page.goto("/account");
    await page.getByRole("button", { name: "Sign out here" }).click();
  };
  await device.touch(false);
  await signOut();
  await page.goto("/signin?to=/account");
  await expect(page.getByLabel("Email")).toHaveAttribute("autocomplete", "username webauthn");
  await expectAccessible(page, "/signin with passkeys");
  await device.touch(true);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText(", with a passkey")).toBeVisible();

  await signOut();
  await page.goto("/signin?to=/account"); // the browser lists the passkey, and the person chooses it
  await expect(page.getByRole("heading", { name: "Your account" })).toBeVisible();

  await page.getByRole("link", { name: "Change passkeys" }).click();
  await page.getByRole("button", { name: "Remove My phone" }).click();
  await expect(page.getByText("The passkey is removed and no longer signs you in.")).toBeVisible();
  await device.touch(false);
  await signOut();
  await page.goto("/signin?to=/account");
  await device.touch(true);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("alert")).toContainText("We do not know this passkey");
});

test("a passkey replaces the code of a sign-in, and is a proof", async ({ page }) => {
  test.slow();
  const device = await newDevice(page);
  const email = await signUp(page);
  await page.goto("/account/two-step");
  await setUpTwoStep(page);
  await page.goto("/account/passkeys");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Create the passkey" }).click();
  await expect(page.getByText("Your passkey is ready.")).toBeVisible();
  await device.touch(false);
  await page.goto("/account");
  await page.getByRole("button", { name: "Sign out here" }).click();
  await page.goto("/signin?to=/account/data");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
  await device.touch(true);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("button", { name: "Download a copy" })).toBeVisible();
  await ageProofs(email);
  await page.getByRole("button", { name: "Download a copy" }).click();
  await expectAccessible(page, "/kept with passkeys");
  const copy = page.waitForEvent("download");
  await page.getByRole("button", { name: "Confirm with a passkey" }).click();
  expect((await copy).suggestedFilename()).toBe("your-data.zip");
});

test("without scripts no page offers passkeys @nojs-only", async ({ page }) => {
  await signUp(page);
  await page.goto("/account/passkeys");
  await expect(page.getByText("Passkeys need JavaScript and a browser that supports them.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add a passkey" })).toBeHidden();
  await page.context().clearCookies();
  await page.goto("/signin");
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
});
