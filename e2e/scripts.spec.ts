import { createHash } from "node:crypto";
import { cards } from "./payment-page";
import { expect, test } from "./test";
import { serveGoogle } from "./wallets";

test("a payment page runs no script that it does not list with its hash", async ({ page, payment }) => {
  await serveGoogle(page);
  await payment.order();
  const run = new Set<string>();
  page.on("request", (request) => request.resourceType() === "script" && run.add(request.url()));
  await page.reload();
  await payment.mounted();
  await expect(page.getByRole("button", { name: "Google Pay" })).toBeVisible();
  const list = JSON.parse((await page.locator("script#scripts").textContent()) ?? "") as Record<string, string>;
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  expect(run.size).toBeGreaterThan(5);
  for (const url of run) {
    const { origin, pathname } = new URL(url);
    const own = origin === new URL(page.url()).origin;
    expect(list, `${url} is listed`).toHaveProperty([own ? pathname : url]);
    if (!own) continue;
    const body = await (await page.request.get(url)).body();
    expect(list[pathname], url).toBe(`sha384-${createHash("sha384").update(body).digest("base64")}`);
  }
});
