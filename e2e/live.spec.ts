import type { Page } from "@playwright/test";
import { cards, PaymentPage } from "./payment-page";
import { expect, test } from "./test";

const isStream = (url: string) => url.endsWith("/events");

// mark leaves a mark on a page that a reload would remove.
async function mark(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { marked: true }));
}

async function expectMarked(page: Page): Promise<void> {
  expect(await page.evaluate(() => "marked" in window), "the page was not loaded again").toBe(true);
}

test("a pending payment ends by itself on every phone, with the stream alone and with polling alone", {
  annotation: { type: "requirements", description: "PAY-44 PAY-45" },
  tag: "@desktop-long",
}, async ({ context, page, payment }) => {
  const streams: string[] = [];
  page.on("request", (request) => isStream(request.url()) && streams.push(request.url()));
  await payment.order();
  await payment.mounted();
  expect(streams, "a new transaction opens no stream").toEqual([]);

  const [listens, asks] = [await context.newPage(), await context.newPage()];
  await listens.route("**/pos/**", (route) =>
    route.request().headers()["hx-request"] ? route.abort() : route.continue(),
  );
  await asks.route(
    (url) => isStream(url.pathname),
    (route) => route.abort(),
  );
  const followed = listens.waitForRequest((request) => isStream(request.url()));
  await payment.payWith(cards.silentCharged);
  await payment.expectState("waiting", "success");
  await mark(page);
  for (const other of [listens, asks]) {
    await other.goto(page.url());
    await mark(other);
  }
  await followed;
  for (const phone of [page, listens, asks]) {
    await new PaymentPage(phone).expectPaid();
    await expectMarked(phone);
  }
  expect(streams.length, "a pending payment opens a stream").toBeGreaterThan(0);
});
