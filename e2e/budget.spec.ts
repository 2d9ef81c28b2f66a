import type { Page } from "@playwright/test";
import { expect, test } from "./test";
import { fetchBrotli, scriptsOf, stylesOf, total, withImports } from "./wire";

const KB = 1024;

// limits lists the pages and, where there is a limit, how many KB of scripts they may load before the first tap.
const limits = {
  "/": 2,
  "/pos/panezski?t=4": 18,
  "/pos/panezski/demo": 18,
  "/demo": undefined,
  "/demo/bridge": 30,
  "/demo/hps": 30,
  "/demo/keygen": 30,
  "/demo/qr": undefined,
  "/demo/qr/print": undefined,
};

test("a page's HTML and CSS come in the first 14 KB, and its JavaScript stays within its limit", async ({
  baseURL,
}) => {
  for (const [path, limit] of Object.entries(limits)) {
    const url = new URL(path, baseURL);
    const html = await fetchBrotli(url);
    const styles = stylesOf(html.text, url);
    expect(html.text, path).toContain("<style>");
    expect.soft(html.bytes + (await total(styles)), `${path}: HTML and CSS`).toBeLessThanOrEqual(14 * KB);
    if (limit === undefined) continue;
    const scripts = await withImports(scriptsOf(html.text, url));
    expect(scripts.length, path).toBeGreaterThan(0);
    expect.soft(await total(scripts, "body"), `${path}: scripts`).toBeLessThanOrEqual(limit * KB);
  }
});

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

test("nothing shifts while the menu and the payment page load and hydrate, in few requests and with at most 85 KB of JavaScript", async ({
  page,
}) => {
  const scripts = new Map<string, URL>();
  let requests = 0;
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:") requests++;
    if (url.pathname.endsWith(".js")) {
      scripts.set(url.href, url);
    }
  });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        shifts.push((entry as PerformanceEntry & { value: number }).value);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const [name, open] of Object.entries(pages)) {
    await open(page);
    await page.locator("fc-order-basket, fc-card-form").first().dispatchEvent("pointerover");
    await expect(page.locator("fc-order-basket > .island, fc-card-form[hx-morph-skip]")).toBeAttached();
    if (name === "menu") expect(requests).toBeLessThanOrEqual(18);
    // The payment page reuses the menu's four scripts except that of the order view. The demo's wallets load after a tap.
    expect(scripts.size, name).toBeLessThanOrEqual(name === "menu" ? 4 : 6);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.evaluate(() => (window as Window & { shifts?: number[] }).shifts), name).toEqual([]);
  }
  expect(await total([...scripts.values()], "body")).toBeLessThanOrEqual(85 * KB);
});

test("the menu's first pictures weigh at most 60 KB and have sizes, and those further down are lazy", async ({
  page,
}) => {
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
      [...new Set(first.map((picture) => picture.src))]
        .filter((src) => !src.startsWith("data:"))
        .map((src) => new URL(src)),
      "body",
    ),
  ).toBeLessThanOrEqual(60 * KB);
});
