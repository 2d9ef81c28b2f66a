import { type Browser, test as base, type Page } from "@playwright/test";
import { MenuPage } from "./menu-page";
import { PaymentPage } from "./payment-page";

interface Fixtures {
  menu: MenuPage;
  payment: PaymentPage;
  // complaints collects what goes wrong in the background of a page: errors, refused content, requests to third parties.
  complaints: string[];
}

// test starts every spec at the program's address, and fails it if the page has complaints.
export const test = base.extend<Fixtures, { browser: Browser }>({
  browser: [
    async ({ playwright }, use) => {
      const browser = await playwright.chromium.launch().catch((error: Error) => {
        // Rarely Chromium crashes while it starts, before it has seen a page, so no mistake of ours is hidden.
        if (!error.message.includes("Segmentation fault")) throw error;
        console.warn("Chromium crashed while it started; it is started once more.");
        return playwright.chromium.launch();
      });
      await use(browser);
      await browser.close();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from the pattern
  baseURL: async ({}, use) => {
    await use(process.env.E2E_URL);
  },
  menu: async ({ page, javaScriptEnabled }, use) => {
    await use(new MenuPage(page, javaScriptEnabled));
  },
  payment: async ({ page }, use) => {
    await use(new PaymentPage(page));
  },
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
      page.on("console", (message) => {
        // A form reports mistakes with an error status, which is fine.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
          complaints.push(`console: ${message.text()}`);
        }
      });
      page.on("request", (request) => {
        const { hostname, protocol } = new URL(request.url());
        if (protocol.startsWith("http") && hostname !== "127.0.0.1" && hostname !== "localhost") {
          complaints.push(`third party: ${request.url()}`);
        }
      });
      await use(complaints);
      base.expect(complaints, "the page runs without errors, refused content and third parties").toEqual([]);
    },
    { auto: true },
  ],
});

// begin uses a page for the first time, which is when the demos fetch their scripts.
export function begin(page: Page): Promise<void> {
  return page.mouse.move(40, 40);
}

// renew reloads a page that, without scripts, also reloads itself. Chromium aborts one load when the other begins.
export async function renew(page: Page): Promise<void> {
  await page.reload().catch((error: Error) => {
    if (!error.message.includes("ERR_ABORTED")) throw error;
  });
}

export { expect } from "@playwright/test";
