import type { Page } from "@playwright/test";
import { begin, expect, test } from "./test";

const hps = "HPS transaction key";
const api = "API merchant key";

// alive opens the page and waits until its tools respond to typing.
async function alive(page: Page, scripted: boolean): Promise<void> {
  await page.goto("/demo/keygen");
  if (!scripted) return;
  await begin(page);
  await expect(page.locator("fc-key-tool > .island")).toHaveCount(4);
}

test.describe("the key generator", { tag: "@nojs" }, () => {
  test("four filled-in tools for everybody", {
    annotation: {
      type: "requirements",
      description: "ROUTE-12 SEC-01 KEYGEN-01 KEYGEN-06 KEYGEN-07 KEYGEN-08 KEYGEN-10",
    },
  }, async ({ page }) => {
    await page.goto("/demo/keygen");
    await expect(page.getByRole("banner")).toBeVisible();
    await expect(page.getByRole("contentinfo")).toBeVisible();
    for (const name of ["SHA-256 hasher", "SHA-1 hasher", hps, api]) {
      await expect(page.getByRole("region", { name })).toBeVisible();
    }
    const tools = page.getByRole("region", { name: api });
    await expect(tools.getByLabel("Currency")).toHaveValue("GBP");
    await expect(tools.getByLabel("Merchant reference")).not.toHaveValue("");
    await expect(tools.getByLabel("Device id")).toHaveValue("01");
  });

  test("each tool makes its key", {
    annotation: { type: "requirements", description: "KEYGEN-02 KEYGEN-03 KEYGEN-04 KEYGEN-05 KEYGEN-09 KEYGEN-11" },
  }, async ({ page, javaScriptEnabled }) => {
    await alive(page, javaScriptEnabled);
    for (const [name, key] of [
      ["SHA-256 hasher", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
      ["SHA-1 hasher", "a9993e364706816aba3e25717850c26c9cd0d89d"],
    ] as const) {
      const one = page.getByRole("region", { name });
      await one.getByLabel("Text").fill("abc");
      if (!javaScriptEnabled) await one.getByRole("button", { name: "Calculate" }).click();
      await expect(one.locator("output")).toHaveText(key);
    }
    for (const [name, key, bad] of [
      [hps, "3ba89485e105cec2bc0b4828816911280401e7c5", "0.00"],
      [api, "62362bf660eba9f15f7c4f09c91a878e375ca9241d690366414257998f95b043", "0.00"],
    ] as const) {
      const one = page.getByRole("region", { name });
      await one.getByLabel("Currency").fill("gbp");
      await one.getByLabel("Amount").fill("5");
      await one.getByLabel("Merchant reference").fill("REF");
      await one.getByLabel("Secret").fill("s");
      if (!javaScriptEnabled) await one.getByRole("button", { name: "Calculate" }).click();
      await expect(one.locator("output")).toHaveText(key);
      await expect(one.locator(".preimage [data-part]")).toHaveText(["GBP", "5.00", "REF", "s"]);
      await one.getByLabel("Amount").fill("abc");
      if (!javaScriptEnabled) await one.getByRole("button", { name: "Calculate" }).click();
      await expect(one.locator(".preimage [data-part=amount]")).toHaveText(bad);
      await expect(one.locator("output")).not.toHaveText(key);
    }
  });

  test("the page explains the mistake in a refused key", { tag: "@desktop" }, async ({ page, javaScriptEnabled }) => {
    await alive(page, javaScriptEnabled);
    const one = page.getByRole("region", { name: hps });
    const check = async (key: string) => {
      await one.getByLabel("Currency").fill("GBP");
      await one.getByLabel("Amount").fill("5");
      await one.getByLabel("Merchant reference").fill("REF");
      await one.getByLabel("Secret").fill("s");
      await one.getByLabel("Key to check").fill(key);
      if (!javaScriptEnabled) await one.getByRole("button", { name: "Calculate" }).click();
    };
    await check("3BA89485E105CEC2BC0B4828816911280401E7C5");
    await expect(one).toContainText("Write the hex digits a to f in lower case.");
    await check("1d9eec095ac1910e59593517f7428eca8cfe5cb6");
    await expect(one).toContainText("5 has to be 5.00");
    await check("0000000000000000000000000000000000000000");
    await expect(one).toContainText("none of the usual mistakes explains it");
    await check("3ba89485e105cec2bc0b4828816911280401e7c5");
    await expect(one).toContainText("The key matches.");
  });
});

test("the device id does not change the key, and a key can be copied", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/demo/keygen");
  const one = page.getByRole("region", { name: api });
  await begin(page);
  await expect(one.locator(".island")).toBeAttached();
  await expect(one.locator("output")).toHaveText(/^[0-9a-f]{64}$/);
  const key = (await one.locator("output").textContent()) ?? "";
  await one.getByLabel("Device id").fill("02");
  await expect(one.locator("output")).toHaveText(key);
  await one.getByRole("button", { name: "Copy key" }).click();
  await expect(one.getByRole("button", { name: "Copy key" })).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
});

test("typed values are neither sent nor stored", async ({ page, context }) => {
  const canary = "canary-secret-7";
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await page.goto("/demo/keygen");
  await begin(page);
  await expect(page.locator(".island")).toHaveCount(4);
  for (const field of await page.locator("main input").all()) {
    await field.fill(canary);
    await field.press("Enter");
  }
  await expect(page.getByText("none of the usual mistakes explains it").first()).toBeVisible();
  expect(sent.filter((one) => one.includes(canary))).toEqual([]);
  expect(new URL(page.url()).search).toBe("");
  // One cookie says that scripts run, and others which stylesheets the browser has. There are no others.
  expect((await context.cookies()).filter(({ name }) => !/^(scripts$|forecourt-style-)/.test(name))).toEqual([]);
  const kept = await page.evaluate(async () => [
    ...Object.values(localStorage),
    ...Object.values(sessionStorage),
    ...(await indexedDB.databases()).map(({ name }) => name),
    ...(await caches.keys()),
  ]);
  expect(kept).toEqual([]);
});

test("if the scripts do not arrive, nothing is sent, and the page says so", async ({ complaints, page }) => {
  await page.route(/\/static\/key-generator-.*\.js/, (route) => route.abort());
  await page.goto("/demo/keygen");
  const one = page.getByRole("region", { name: "SHA-1 hasher" });
  await one.getByLabel("Text").fill("abc");
  await page.evaluate(() => customElements.whenDefined("fc-key-tool").then(() => undefined));
  for (const key of ["Enter", "Enter"]) await one.getByLabel("Text").press(key);
  await expect(one.getByRole("alert")).toHaveText(/^This part of the page could not be loaded/);
  await expect(one.getByLabel("Text")).toHaveValue("abc");
  await expect(one.locator("output"), "no answer of the server").not.toHaveText(/^a9993e36/);
  expect(new Set(complaints.splice(0))).toEqual(new Set(["error: a chunk could not be loaded"]));
});

test("if the browser cannot hash, the server's form stays and says so", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Crypto.prototype, "subtle", { value: undefined });
  });
  await page.goto("/demo/keygen");
  await expect(page.getByText("this server works the key out")).toBeVisible();
  const one = page.getByRole("region", { name: "SHA-1 hasher" });
  await one.getByLabel("Text").fill("abc");
  await one.getByRole("button", { name: "Calculate" }).click();
  await expect(one.locator("output")).toHaveText("a9993e364706816aba3e25717850c26c9cd0d89d");
});
