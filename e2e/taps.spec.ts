import type { Locator, Page, Route } from "@playwright/test";
import { MenuPage } from "./menu-page";
import { expect, test } from "./test";

// What a person does with a page is done once, however early it comes and whatever it is done with.

type Means = "finger or mouse" | "keyboard";
const all: readonly Means[] = ["finger or mouse", "keyboard"];

// press presses a button, by touch on the phone and by mouse on the desktop.
async function press(button: Locator, means: Means, isMobile: boolean): Promise<void> {
  if (means === "keyboard") {
    await button.focus();
    await button.page().keyboard.press("Enter");
  } else if (isMobile) await button.tap();
  else await button.click();
}

// holdBack keeps scripts back until the returned function is called, and forgets what the browser has of them.
async function holdBack(page: Page, scripts: RegExp): Promise<() => void> {
  let arrive = () => {};
  const held = new Promise<void>((done) => {
    arrive = done;
  });
  await page.route(scripts, async (route: Route) => {
    await held;
    await route.continue().catch(() => undefined); // the page may have gone
  });
  return arrive;
}

// visits counts how often the page is opened.
function visits(page: Page): () => number {
  let opened = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) opened++;
  });
  return () => opened;
}

// stop stops the page's clock, so that the scripts come within the second however busy this machine is.
async function stop(page: Page): Promise<void> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
}

for (const means of all) {
  test(`presses on a menu whose script is on its way are kept and done in place (${means})`, {
    tag: "@desktop",
  }, async ({ isMobile, menu, page }) => {
    const arrive = await holdBack(page, /\/static\/menu-.*\.js/);
    const opened = visits(page);
    await stop(page);
    await page.goto("/pos/panezski?t=4", { waitUntil: "commit" });
    const add = (item: string) => menu.row(item).getByRole("button", { name: `Add ${item}` });
    await press(add("Flat White"), means, isMobile);
    await press(add("Flat White"), means, isMobile);
    await press(add("Butter Croissant"), means, isMobile);
    arrive();
    await page.clock.resume();
    await menu.expectQuantity("Flat White", 2);
    await menu.expectQuantity("Butter Croissant", 1);
    expect(opened(), "the page is opened once").toBe(1);
  });

  test(`presses on a menu whose script does not come are all posted (${means})`, { tag: "@desktop" }, async ({
    isMobile,
    menu,
    page,
  }) => {
    await holdBack(page, /\/static\/.*\.js/);
    await page.goto("/pos/panezski?t=4", { waitUntil: "commit" });
    for (const item of ["Flat White", "Flat White", "Butter Croissant"]) {
      await press(menu.row(item).getByRole("button", { name: `Add ${item}` }), means, isMobile);
    }
    await page.waitForURL(/[?&]b=\d+x[12]\.\d+x[12]&/, { waitUntil: "commit" });
    await menu.expectQuantity("Flat White", 2);
    await menu.expectQuantity("Butter Croissant", 1);
  });

  test(`View Order pressed before anything has loaded opens the order in place (${means})`, {
    tag: "@desktop",
  }, async ({ isMobile, menu, page }) => {
    await menu.open();
    const id = await menu.row("Flat White").getByRole("button", { name: "Add Flat White" }).getAttribute("value");
    const arrive = await holdBack(page, /\/static\/.*\.js/);
    const opened = visits(page);
    await stop(page);
    await page.goto(`/pos/panezski?t=4&b=${id}x1`, { waitUntil: "commit" });
    await press(menu.viewOrder, means, isMobile);
    arrive();
    await page.clock.resume();
    await expect(menu.order).toContainText("Flat White");
    await expect(menu.proceed).toBeVisible();
    expect(opened(), "the page is opened once").toBe(1);
  });

  test(`a payment at the terminal begins although its scripts come late (${means})`, { tag: "@desktop" }, async ({
    isMobile,
    page,
  }) => {
    const arrive = await holdBack(page, /\/static\/(bridge|demo|base)-.*\.js/);
    const opened = visits(page);
    await page.clock.install();
    await page.goto("/demo/bridge", { waitUntil: "commit" });
    await press(page.getByRole("button", { name: "Process Payment" }), means, isMobile);
    await page.clock.fastForward(5_000);
    arrive();
    await expect(page.getByRole("region", { name: "Calls" })).toContainText("GET /status/");
    expect(opened(), "the page is opened once").toBe(1);
  });
}

// tapAt taps or clicks a place on the screen, whatever is there.
function tapAt(page: Page, isMobile: boolean, x: number, y: number): Promise<void> {
  return isMobile ? page.touchscreen.tap(x, y) : page.mouse.click(x, y);
}

async function middle(of: Locator): Promise<[number, number]> {
  const { x, y, width, height } = (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return [x + width / 2, y + height / 2];
}

test("two taps on View Order leave the order open, and Escape still closes it", { tag: "@desktop" }, async ({
  isMobile,
  menu,
  page,
}) => {
  await menu.open();
  await menu.add("Flat White");
  await expect(page.locator("fc-order-basket > .island")).toBeAttached();
  const [x, y] = await middle(menu.viewOrder);
  await page.clock.install();
  await tapAt(page, isMobile, x, y);
  await tapAt(page, isMobile, x, y); // beside the sheet, which still slides in
  await expect(menu.proceed).toBeVisible();
  await page.clock.fastForward(600);
  await tapAt(page, isMobile, x + 3, y - 2);
  await menu.order.getByRole("button", { name: "Add Flat White" }).click(); // it is open, and can be used at once
  await expect(menu.order.locator("li output")).toHaveText("2");
  await expect(menu.proceed).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/pos/panezski");
  await page.keyboard.press("Escape");
  await expect(menu.proceed).toBeHidden();
});

test("two taps on Choose open one sheet and leave it open", { tag: "@desktop" }, async ({ isMobile, page }) => {
  const menu = new MenuPage(page, true);
  await menu.open();
  const button = page.getByRole("button", { name: /^Choose / }).first();
  await button.scrollIntoViewIfNeeded();
  const [x, y] = await middle(button);
  await button.evaluate((one: HTMLElement) => {
    one.click();
    one.click();
  });
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await page.goBack();
  await tapAt(page, isMobile, x, y);
  await expect(page.getByRole("dialog")).toBeVisible();
  await tapAt(page, isMobile, x, y);
  await page.getByRole("dialog").getByRole("button", { name: "One more" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(1);
});

test("an item that has left the menu is named before it leaves the order", async ({ menu, page }) => {
  await menu.open();
  await menu.add("Flat White");
  await expect(page.locator("fc-order-basket > .island")).toBeAttached();
  await page.route("**/pos/panezski?t=4", async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const without = text.replace(/\{"id":\d+,"name":"Flat White"[^}]*\},/, "");
    expect(without.length).toBeLessThan(text.length);
    await route.fulfill({ response, body: without });
  });
  await page.reload();
  await expect(page.getByRole("alert")).toHaveText("No longer available: Flat White. We took it out of your order.");
  await page.reload();
  await expect(page.locator("fc-order-basket > .island")).toBeAttached();
  await expect(page.getByRole("alert")).toHaveCount(0);
});
