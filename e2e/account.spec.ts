import { expectAccessible } from "./inspect";
import { password, signUp, someone } from "./people";
import { expect, test } from "./test";

test("a new account is signed in and led on @nojs", {
  annotation: { type: "requirements", description: "AUTH-01 ADMIN-49" },
}, async ({ page }) => {
  const email = someone();
  await page.goto("/signup?to=/account");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("heading", { name: "Your account" })).toBeVisible();
  await expect(page.getByRole("main").getByText(email)).toBeVisible();
  await expect(page).toHaveURL(/\/account$/);
});

test("the server says the same about a password as the page @nojs-only", {
  annotation: { type: "requirements", description: "AUTH-16" },
}, async ({ page }) => {
  await page.goto("/signup");
  await expect(page.getByRole("button", { name: "Show password" })).toBeHidden();
  await page.getByLabel("Email").fill(someone());
  await page.getByLabel("Password", { exact: true }).fill("a");
  await page.getByLabel("Confirm password").fill("b");
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.getByRole("link", { name: "Password requires at least Uppercase, Number, Special character" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
});

for (const address of ["/signup", "/merchant/admin?r"]) {
  test(`problems show while a password is typed at ${address}, and the button follows`, {
    annotation: {
      type: "requirements",
      description: "AUTH-07 AUTH-08 AUTH-09 AUTH-10 AUTH-11 AUTH-12 AUTH-13 AUTH-14 AUTH-15 AUTH-16",
    },
  }, async ({ page }) => {
    await page.goto(address);
    await expect(page.getByRole("button", { name: "Show password" })).toBeVisible();
    const [first, confirm] = [page.getByLabel("Password", { exact: true }), page.getByLabel("Confirm password")];
    const button = page.getByRole("button", { name: "Create Account" });
    await expect(button).toBeDisabled();
    for (const [typed, again, message] of [
      ["aaaa111!", "", "Password requires at least Uppercase character"],
      ["a", "b", "Password requires at least Uppercase, Number, Special character"],
      ["Aa1!", "Aa1!", "Minimum 8 characters"],
      ["Aa1!aaaa", "Aa1!aaab", "Passwords don't match"],
    ] as const) {
      await first.fill(typed);
      await confirm.fill(again);
      await expect(page.getByText(message, { exact: true })).toBeVisible();
      await expect(button).toBeDisabled();
    }
    await confirm.fill("Aa1!aaaa");
    await expect(page.locator(".problem:visible")).toHaveCount(0);
    await expect(button).toBeEnabled();
  });
}

test("the screen toggles without losing the email, and shows the password", {
  annotation: { type: "requirements", description: "FORM-02 FORM-03 ADMIN-06" },
}, async ({ page }) => {
  await page.goto("/signin?to=/account");
  await page.getByLabel("Email").fill("ann@example.com");
  const [field, show] = [
    page.getByLabel("Password", { exact: true }),
    page.getByRole("button", { name: "Show password" }),
  ];
  await show.click();
  await expect(field).toHaveAttribute("type", "text");
  await show.click();
  await expect(field).toHaveAttribute("type", "password");
  await page.getByRole("link", { name: "Create one here" }).click();
  await expect(page.getByRole("heading", { name: "Create an account" })).toBeFocused();
  await expect(page).toHaveURL(/\/signup\?to=%2Faccount$/);
  await expect(page.getByLabel("Email")).toHaveValue("ann@example.com");
  await expect(page.getByRole("button", { name: "Create Account" })).toBeDisabled();
  await page.getByRole("link", { name: "Sign in here" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveValue("ann@example.com");
  await field.fill("Wrong-pass-1");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByRole("alert")).toHaveText("Incorrect email or password.");
  await expect(page.getByLabel("Email")).toHaveValue("ann@example.com");
});

test("a forgotten password is replaced by a mailed link @nojs", async ({ page }) => {
  const email = await signUp(page);
  await page.goto("/account");
  await page.getByRole("button", { name: "Sign out here" }).click();
  await page.goto("/signin");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByRole("link", { name: "Open the demo outbox" }).click();
  const mail = page
    .locator(".rows tr", { hasText: email })
    .filter({ hasText: "Choose a new password" })
    .getByRole("link");
  await expect(async () => {
    await page.reload();
    await expect(mail).toBeVisible({ timeout: 500 });
  }).toPass();
  // The letter's frame runs no scripts, not even the browser driver's, which complains about that.
  await page.route("**/dev/outbox/*/html", (route) => route.abort());
  await mail.click();
  const link = /https?:\/\/\S+\/reset\/\S+/.exec((await page.locator("main pre").textContent()) ?? "");
  await page.goto(link?.[0] ?? "");
  await page.getByLabel("Password", { exact: true }).fill("An0ther-pass");
  await page.getByLabel("Confirm password").fill("An0ther-pass");
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("An0ther-pass");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toHaveCount(0);
  await page.goto(link?.[0] ?? "");
  await expect(page.getByRole("link", { name: "Get a new link" })).toBeVisible();
});

test("a person sees their own sessions and ends another one @nojs", async ({ page, browser }) => {
  const email = await signUp(page);
  await page.goto("/account");
  const other = await browser.newContext({ baseURL: process.env.E2E_URL ?? "", javaScriptEnabled: false });
  const phone = await other.newPage();
  await phone.goto("/signin?to=/account");
  await phone.getByLabel("Email").fill(email);
  await phone.getByLabel("Password", { exact: true }).fill(password);
  await phone.getByRole("button", { name: "Sign in" }).click();
  await expect(phone.getByText("This browser")).toHaveCount(1);
  await page.reload();
  await page.getByRole("button", { name: /^Sign out .+, last used/ }).click();
  await expect(page.getByText("That browser is signed out.")).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole("button", { name: "Sign in" })).toBeVisible();
  await other.close();
});

test("axe finds nothing on the account pages, and nothing overflows", async ({ context, page }) => {
  test.slow();
  await signUp(page);
  await page.goto("/account");
  await expectAccessible(page, "/account");
  await context.clearCookies();
  for (const path of ["/signin", "/signup", "/reset", "/reset?sent", "/reset/x", "/dev/outbox"]) {
    await page.goto(path);
    await expectAccessible(page, path);
  }
});
