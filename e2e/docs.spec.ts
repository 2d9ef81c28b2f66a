import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "./test";

// The test is a shop on another site that embeds the checkout exactly as the documentation shows.
test("the embedded checkout of the documentation works in a page of another origin", async ({ page }) => {
  await page.goto(`${process.env.E2E_ALONE_URL}/docs/hosted-page`);
  const sample = await page.locator("code", { hasText: "data-checkout data-" }).textContent();
  const shop = createServer((request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    const body = request.url?.startsWith("/thanks") ? "<h1>Thank you</h1>" : `<h1>Shop</h1>\n${sample}`;
    response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">${body}</html>`);
  });
  await new Promise<void>((listening) => shop.listen(0, "127.0.0.1", listening));
  try {
    const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    await page.goto(origin);
    const frame = page.frameLocator("iframe");
    await frame.getByLabel("Name on card").fill("Jo Bloggs");
    await frame.getByLabel("Card number").fill("4111 1111 1111 1111");
    await frame.getByLabel("CVC").fill("123");
    await frame.getByRole("button", { name: "Pay 0.05 GBP" }).click();
    await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
    const back = new URL(page.url());
    expect(back.origin + back.pathname).toBe(`${origin}/thanks`);
    expect(back.searchParams.get("result")).toBe("approved");
    expect(back.searchParams.get("reference")).toBe("ORDER-1001");
    const [signed, signature] = back.search.slice(1).split("&signature=");
    expect(signature).toBe(
      createHmac("sha256", "harbour-lane-8Q2x")
        .update(signed ?? "")
        .digest("hex"),
    );
  } finally {
    shop.close();
  }
});
