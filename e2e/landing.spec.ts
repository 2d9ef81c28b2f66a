import type { Page } from "@playwright/test";
import { expect, test } from "./test";

const first = "Guests order from their seat";
const second = "Charged once, or not at all";
const last = "Try all of it today";

const current = (page: Page) => page.locator("#slides [data-current] h3");

// openAt opens the start page with a clock that the test controls.
async function openAt(page: Page): Promise<void> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto("/");
  await expect(current(page)).toHaveText(first);
}

test.describe("the carousel", () => {
  test("plays every 5000 ms and loops", {
    annotation: { type: "requirements", description: "LAND-03 LAND-04" },
  }, async ({ page }) => {
    await openAt(page);
    await page.clock.runFor(4999);
    await expect(current(page)).toHaveText(first);
    await page.clock.runFor(1);
    await expect(current(page)).toHaveText(second);
    await page.clock.runFor(10_000);
    await expect(current(page)).toHaveText(last);
    await page.clock.runFor(5000);
    await expect(current(page)).toHaveText(first);
  });

  test("pauses and continues by its button", { annotation: { type: "requirements", description: "LAND-03" } }, async ({
    page,
  }) => {
    await openAt(page);
    const region = page.getByRole("region", { name: "What it does for you" });
    await region.getByRole("button", { name: "Pause the slides" }).press("Enter");
    await expect(page.locator("#slides")).toHaveAttribute("aria-live", "polite");
    await page.clock.runFor(20_000);
    await expect(current(page)).toHaveText(first);
    await region.getByRole("button", { name: "Play the slides" }).press("Enter");
    await page.getByRole("link", { name: "Try a menu" }).focus();
    await page.clock.runFor(5000);
    await expect(current(page)).toHaveText(second);
  });

  test("is stepped by buttons and arrow keys, and then waits", {
    annotation: { type: "requirements", description: "LAND-04" },
  }, async ({ page }) => {
    await openAt(page);
    await page.getByRole("button", { name: "Previous slide" }).press("Enter");
    await expect(current(page)).toHaveText(last);
    await page.getByRole("button", { name: "Next slide" }).press("Enter");
    await expect(current(page)).toHaveText(first);
    await page.keyboard.press("ArrowRight");
    await expect(current(page)).toHaveText(second);
    await expect(page.locator("#slides > li").nth(1)).toBeInViewport({ ratio: 0.9 });
    await page.clock.runFor(20_000);
    await expect(current(page)).toHaveText(second);
  });

  test("has on wide screens as many stops as the strip has, and no buttons where every slide is in sight", {
    annotation: { type: "requirements", description: "LAND-04" },
  }, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("/");
    const next = page.getByRole("button", { name: "Next slide" });
    const at = () => page.locator("#slides").evaluate((strip) => Math.sign(strip.scrollLeft));
    for (const moved of [1, 0, 1]) {
      await next.click();
      await expect.poll(at).toBe(moved);
    }
    await page
      .locator("#slides > li")
      .last()
      .evaluate((slide) => slide.remove());
    await page.setViewportSize({ width: 800, height: 800 });
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(next).toBeHidden();
  });

  test("pauses while it has the focus", { annotation: { type: "requirements", description: "LAND-03" } }, async ({
    page,
  }) => {
    await openAt(page);
    await page.getByRole("button", { name: "Next slide" }).focus();
    await page.clock.runFor(20_000);
    await expect(current(page)).toHaveText(first);
  });

  test("does not move by itself with reduced motion", {
    annotation: { type: "requirements", description: "LAND-03" },
  }, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await openAt(page);
    await page.clock.runFor(20_000);
    await expect(current(page)).toHaveText(first);
    await expect(page.getByRole("button", { name: "Play the slides" })).toBeVisible();
  });

  test("is a plain list without scripts", {
    annotation: { type: "requirements", description: "LAND-02" },
    tag: "@nojs-only",
  }, async ({ page }) => {
    await page.goto("/");
    for (const title of [first, second, last]) {
      await expect(page.locator("#slides > li").filter({ hasText: title })).toBeVisible();
    }
    await expect(page.getByRole("button", { name: /slide/i })).toHaveCount(0);
  });
});

test.describe("the bars", () => {
  test("menus open without scripts, and are folded on a phone", {
    annotation: { type: "requirements", description: "NAV-04 NAV-07" },
    tag: ["@nojs", "@desktop"],
  }, async ({ page }) => {
    await page.goto("/privacy");
    const fold = page.locator(".top .fold summary");
    const bar = page.getByRole("navigation", { name: "Top" });
    if (await fold.isVisible()) {
      await expect(bar).toBeHidden();
      await fold.click();
    }
    await expect(bar.getByText("Not Logged In")).toBeVisible();
    await bar.getByText("Forms", { exact: true }).click();
    await expect(bar.getByRole("link", { name: "Merchant application" })).toBeVisible();
    await bar.getByText("Forms", { exact: true }).click();
    await bar.getByText("Developers", { exact: true }).press("Enter");
    await bar.getByRole("link", { name: "Order menu" }).click();
    await expect(page).toHaveURL("/pos/panezski");
  });

  test("menus close on Escape and on a click outside", {
    annotation: { type: "requirements", description: "NAV-04 NAV-06" },
    tag: "@desktop",
  }, async ({ page, isMobile }) => {
    await page.goto("/privacy");
    const developers = page.getByText("Developers", { exact: true });
    const guides = page.getByRole("link", { name: "User Guides" });
    if (isMobile) await page.getByText("Menu", { exact: true }).click();
    await developers.press("Enter");
    await expect(guides).toBeVisible();
    await guides.focus();
    await page.keyboard.press("Escape");
    await expect(guides).toBeHidden();
    await expect(developers).toBeFocused();
    await developers.press("Enter");
    await page.getByRole("contentinfo").getByText("© 2025").click();
    await expect(guides).toBeHidden();
    await expect(developers).toBeVisible({ visible: !isMobile });
  });
});
