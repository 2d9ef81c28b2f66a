import type { Page } from "@playwright/test";
import { expect, test } from "./test";
import { fetchBrotli, linked, total, withImports } from "./wire";

const KB = 1024;

const pages = {
  menu: async (page: Page) => {
    await page.goto("/pos/panezski?t=4");
    await expect(page.locator("li.item")).toHaveCount(40);
  },
  payment: async (page: Page) => {
    await page.goto("/pos/panezski/demo");
    await expect(page.locator("#payment")).toHaveAttribute("data-state", "form");
  },
};

for (const [name, open] of Object.entries(pages)) {
  test(`the ${name} page: HTML and CSS come in the first 14 KB`, async ({ page }) => {
    await open(page);
    const url = new URL(page.url());
    const html = await fetchBrotli(url);
    const styles = linked(html.text, url, /<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g);
    expect(styles.length).toBeGreaterThan(0);
    expect(html.bytes + (await total(styles))).toBeLessThanOrEqual(14 * KB);
  });

  test(`the ${name} page: what runs before the first tap is at most 18 KB of JavaScript`, async ({ page }) => {
    await open(page);
    const url = new URL(page.url());
    const html = await fetchBrotli(url);
    const scripts = await withImports(linked(html.text, url, /<script[^>]*src="([^"]+)"/g));
    expect(scripts.length).toBeGreaterThan(0);
    expect(await total(scripts, "body")).toBeLessThanOrEqual(18 * KB);
  });

  test(`the ${name} page: nothing shifts while it loads and comes alive`, async ({ page }) => {
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          shifts.push((entry as PerformanceEntry & { value: number }).value);
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await open(page);
    await page.locator("fc-order-basket, fc-card-form").first().dispatchEvent("pointerover");
    await expect(page.locator("fc-order-basket > .island, fc-card-form > .island")).toBeAttached();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.evaluate(() => (window as Window & { shifts?: number[] }).shifts)).toEqual([]);
  });
}

test("all JavaScript together is at most 85 KB", async ({ page }) => {
  const scripts = new Map<string, URL>();
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith(".js")) {
      scripts.set(url.href, url);
    }
  });
  for (const open of Object.values(pages)) {
    await open(page);
    await page.locator("fc-order-basket, fc-card-form").first().dispatchEvent("pointerover");
    await expect(page.locator("fc-order-basket > .island, fc-card-form > .island")).toBeAttached();
  }
  expect(await total([...scripts.values()], "body")).toBeLessThanOrEqual(85 * KB);
});

test("the menu's pictures on the first screen are at most 60 KB, sized, and lazy below", async ({ page }) => {
  await pages.menu(page);
  const pictures = await page.locator("img").evaluateAll((images) =>
    (images as HTMLImageElement[]).map((image) => ({
      src: image.src,
      top: image.getBoundingClientRect().top,
      sized: image.hasAttribute("width") && image.hasAttribute("height"),
      lazy: image.loading === "lazy",
    })),
  );
  const screen = page.viewportSize()?.height ?? 0;
  const first = pictures.filter((picture) => picture.top < screen);
  expect(pictures.every((picture) => picture.sized)).toBe(true);
  expect(pictures.filter((picture) => picture.top > 2 * screen).every((picture) => picture.lazy)).toBe(true);
  expect(
    await total(
      [...new Set(first.map((picture) => picture.src))].map((src) => new URL(src)),
      "body",
    ),
  ).toBeLessThanOrEqual(60 * KB);
});
