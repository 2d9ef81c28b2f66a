import { chromiumPath, startOptions } from "./chromium";
import { signIn } from "./people";
import { stubSubscribe } from "./subscription";
import { expect, test } from "./test";

// Only the whole browser has notifications.
test.use({ launchOptions: startOptions(chromiumPath()) });

test("a team member chooses their notices and the browsers that show them @nojs", async ({
  context,
  javaScriptEnabled,
  page,
}) => {
  await signIn(page, "demo@forecourt.test");
  // Tests with and without JavaScript run at the same time, each with its own business.
  await page.goto(`/desk/${javaScriptEnabled ? "panezski" : "moollar"}/notices`);
  const box = page.getByRole("checkbox", { name: "A refund failed by email" });
  const save = async () => {
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved.")).toBeVisible();
    await page.goto(page.url().replace(/\?.*/, "")); // to see what is stored, not what was sent
  };
  await expect(box).toBeChecked();
  const others = await page.locator("td input:checked").count();
  await box.uncheck();
  await save();
  await expect(box).not.toBeChecked();
  await expect(page.locator("td input:checked")).toHaveCount(others - 1);
  await box.check();
  await save();
  await expect(box).toBeChecked();

  if (!javaScriptEnabled) {
    await expect(page.locator("#note-me")).toBeHidden(); // Chromium shows no <noscript> if a test turned scripts off
    return;
  }
  // This browser refuses notifications until the test allows them.
  const show = page.getByRole("button", { name: "Show notifications in this browser" });
  await show.click();
  await expect(page.getByText("Notifications are off for this site.")).toBeVisible();
  await stubSubscribe(context);
  await context.grantPermissions(["notifications"]);
  await page.reload();
  await show.click();
  await expect(page.getByText("Notifications are on in this browser.")).toBeVisible();
  await expect(page.getByText("Notifications are on in 1 browser.")).toBeVisible();
  await page.getByRole("button", { name: "Turn off in all browsers" }).click();
  await expect(page.getByText("Notifications are not on in any browser yet.")).toBeVisible();
});
