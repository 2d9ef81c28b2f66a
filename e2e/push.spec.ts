import type { Page } from "@playwright/test";
import { chromiumPath, startOptions } from "./chromium";
import { KitchenPage } from "./kitchen-page";
import { cards } from "./payment-page";
import { stubSubscribe } from "./subscription";
import { expect, test } from "./test";

// Only the whole browser has notifications.
test.use({ launchOptions: startOptions(chromiumPath()) });

// deliver gives a message to the running worker, as the browser's push service would.
async function deliver(page: Page, message: object): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((found) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.endsWith("/push-scope"));
      if (ours) found(ours.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.deliverPushMessage", {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: JSON.stringify(message),
  });
}

test("a tap after paying asks for messages, and a message to the worker shows on the page", {
  annotation: { type: "requirements", description: "PUSH-10 PUSH-11 PUSH-12 PAY-37" },
}, async ({ baseURL, browser, context, menu, page, payment }) => {
  await stubSubscribe(context);
  await context.grantPermissions(["notifications"]);
  // Neither the event stream nor polls report anything here.
  await page.route(
    (url) => url.pathname.endsWith("/events"),
    (route) => route.abort(),
  );
  await menu.open("?t=push");
  await menu.add("Butter Croissant");
  await menu.add("Flat White");
  await menu.openOrder();
  const trx = await menu.pay();
  await payment.payWith(cards.approved);
  await payment.expectState("status");

  const posted = page.waitForRequest((request) => request.url().endsWith("/registrations"));
  await page.getByRole("button", { name: "Tell me when it is ready" }).click();
  expect((await posted).postDataJSON().web).toMatchObject({ endpoint: "https://push.example.com/send/1" });
  await expect(page.getByText("This device will tell you")).toBeVisible();
  const scope = await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations())[0]?.scope);
  expect(scope).toBe(`${baseURL}/push-scope`);
  await page.reload();
  await expect(page.getByText("This device will tell you"), "after a reload").toBeVisible();

  const other = await browser.newContext({ baseURL: baseURL ?? "" });
  const kitchen = new KitchenPage(await other.newPage());
  await kitchen.open();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await kitchen.done("Kitchen", "push");
  await expect(kitchen.ticket("Kitchen", "push")).toHaveCount(0);
  const place = page.locator(".place").filter({ has: page.getByRole("heading", { name: "Kitchen" }) });
  await expect(place).toContainText("being made");
  const url = `/pos/panezski/${trx}`;
  await deliver(page, { data: { loc: "Kitchen", url }, notification: { title: "Kitchen: ready", body: "Table push" } });
  await expect(place).toContainText("Ready");
  await expect(page.getByText("This device will tell you"), "after a morph").toBeVisible();
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.getRegistration("/push-scope");
      return (await worker?.getNotifications())?.map(({ title, body }) => ({ title, body }));
    });
  // The worker tells the page first.
  await expect.poll(shown).toEqual([{ title: "Kitchen: ready", body: "Table push" }]);
  await other.close();
});
