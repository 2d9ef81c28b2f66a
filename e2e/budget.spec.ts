import type { Page } from "@playwright/test";
import { inTwoParts } from "./in-two-parts";
import { expect, test } from "./test";
import { fetchPacked, scriptsOf, stylesOf, total, withImports } from "./wire";

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
};

test("a page's HTML and CSS come in the first 14 KB, and its JavaScript stays within its limit", async ({
  baseURL,
}) => {
  for (const [path, limit] of Object.entries(limits)) {
    const url = new URL(path, baseURL);
    const html = await fetchPacked(url);
    const styles = stylesOf(html.text, url);
    expect(html.text, path).toContain("<style>");
    expect.soft(html.bytes + (await total(styles)), `${path}: HTML and CSS`).toBeLessThanOrEqual(14 * KB);
    if (limit === undefined) continue;
    const scripts = await withImports(scriptsOf(html.text, url));
    expect(scripts.length, path).toBeGreaterThan(0);
    expect.soft(await total(scripts, "body"), `${path}: scripts`).toBeLessThanOrEqual(limit * KB);
  }
});

// pages open a page of a site, "" for the one under test, and wait until it is complete.
const pages = {
  menu: async (page: Page, site = "") => {
    await page.goto(`${site}/pos/panezski?t=4`);
    await expect(page.locator("li.item")).toHaveCount(40);
  },
  payment: async (page: Page, site = "") => {
    await page.goto(`${site}/pos/panezski/demo`);
    await expect(page.locator("#payment")).toHaveAttribute("data-state", "form");
  },
};
const names = ["menu", "payment"] as const;

// The menu's four files serve the payment page, too, apart from the order view; its fifth is the payment page's own, fetched ahead. The demo's
// wallets wait for a tap.
const atMost = { menu: { requests: 18, scripts: 5 }, payment: { requests: 4, scripts: 5 } };

// inPieces are texts of the pages at which their second part may begin: where something follows that what came before makes room for.
const inPieces = {
  menu: ['<div class="menu">', ">Twin Baguettes<", ">View Order<"],
  payment: ["<fc-card-form>", '<li data-mark="mastercard">', 'name="cvc"'],
};

// watchShifts notes what moves by itself on the pages that are opened from now on.
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        shifts.push((entry as PerformanceEntry & { value: number }).value);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

// expectStill wakes the islands of an open page, and expects that nothing has moved.
async function expectStill(page: Page, what: string): Promise<void> {
  await page.locator("fc-order-basket, fc-card-form").first().dispatchEvent("pointerover");
  await expect(page.locator("fc-order-basket > .island, fc-card-form[hx-morph-skip]")).toBeAttached();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.evaluate(() => (window as Window & { shifts?: number[] }).shifts), what).toEqual([]);
}

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
  await watchShifts(page);
  for (const name of names) {
    requests = 0;
    await pages[name](page);
    await expectStill(page, name);
    expect(requests, name).toBeLessThanOrEqual(atMost[name].requests);
    expect(scripts.size, name).toBeLessThanOrEqual(atMost[name].scripts);
  }
  expect(await total([...scripts.values()], "body")).toBeLessThanOrEqual(85 * KB);
});

for (const name of names) {
  test(`nothing shifts when the bytes of the ${name} page arrive in two parts, with its style in the page and linked`, async ({
    page,
    baseURL,
  }) => {
    const proxy = await inTwoParts(baseURL ?? "");
    await page.exposeFunction("painted", proxy.sendRest);
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        if (!list.getEntriesByName("first-contentful-paint").length) return;
        // What has arrived is on the screen two frames later.
        requestAnimationFrame(() => requestAnimationFrame(() => (window as Window & { painted?(): void }).painted?.()));
      }).observe({ type: "paint", buffered: true });
    });
    await watchShifts(page);
    for (const from of inPieces[name]) {
      proxy.hold(from);
      await page.context().clearCookies();
      for (const style of ["in the page", "linked"]) {
        await pages[name](page, proxy.url);
        const late = page.locator('link[rel="stylesheet"][media="not all"]');
        expect(await late.count(), style).toBe(style === "linked" ? 0 : 1);
        await expectStill(page, `${name} without ${from} at first, style ${style}`);
      }
    }
    expect(proxy.held()).toBe(6);
    await proxy.close();
  });
}

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
      [...new Set(first.map((picture) => picture.src))]
        .filter((src) => !src.startsWith("data:"))
        .map((src) => new URL(src)),
      "body",
    ),
  ).toBeLessThanOrEqual(60 * KB);
});
