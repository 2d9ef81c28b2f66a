import type { Page, Response } from "@playwright/test";
import { begin, expect, test } from "./test";

const secret = "harbour-lane-8Q2x";
const redirect = (page: Page) => page.getByRole("region", { name: "Redirect checkout" });
const embedded = (page: Page) => page.getByRole("region", { name: "Embedded checkout" });
const field = (page: Page, name: string) => redirect(page).getByLabel(name, { exact: true });

// sign types the secret and gets the key. With scripts it waits for the key; without, it presses the button.
async function sign(page: Page, scripts: boolean): Promise<void> {
  await field(page, "Merchant_Secret").fill(secret);
  if (!scripts) await redirect(page).getByRole("button", { name: "Calculate transactionkey" }).click();
  await expect(field(page, "transactionkey")).toHaveValue(/^[0-9a-f]{40}$/);
}

async function payWith(page: Page, card: string): Promise<void> {
  await page.getByLabel("Name on card").fill("Jo Bloggs");
  await page.getByLabel("Card number").fill(card);
  await page.getByLabel("Expiry").fill("12/34");
  await page.getByLabel("CVC").fill("123");
  await page.getByRole("button", { name: /^Pay 5\.00 GBP$/ }).click();
}

test.describe("the hosted payment page demo", { tag: "@nojs" }, () => {
  test("the redirect form", {
    annotation: { type: "requirements", description: "ROUTE-08 SEC-01 HPS-01 HPS-02 HPS-08 HPS-10 HPS-15 HPS-17" },
  }, async ({ page }) => {
    await page.goto("/demo/hps");
    for (const name of [
      "Merchant_User_Id",
      "merchant_ref_number",
      "currencydesc",
      "amount",
      "transactionkey",
      "Purchase_summary",
      "processurl",
      "cancelurl",
      "notifyurl",
      "customer_firstname",
      "bill_address",
    ]) {
      await expect(redirect(page).locator(`input[name="${name}"]`)).toHaveCount(1);
    }
    await expect(field(page, "amount")).toHaveValue("5.00");
    await expect(field(page, "currencydesc")).toHaveValue("GBP");
    await expect(redirect(page).getByRole("alert")).toHaveText(
      "Please enter a Merchant_User_Id and Merchant_Secret to test this form.",
    );
    const form = redirect(page).locator("form");
    await expect(form).toHaveAttribute("method", "post");
    await expect(form).toHaveAttribute("action", `${process.env.E2E_URL}/sandbox/hps`);
    await field(page, "Merchant_User_Id").fill("");
    await redirect(page)
      .getByRole("button")
      .filter({ hasText: /payment page|Calculate/ })
      .click();
    await expect(redirect(page).getByRole("alert").first()).toBeVisible();
    expect(new URL(page.url()).pathname).toBe("/demo/hps");
  });

  test("every id shows the page, and so does the return address", {
    annotation: { type: "requirements", description: "ROUTE-09 ROUTE-10 SEC-01" },
  }, async ({ page }) => {
    for (const id of ["x", "embedded"]) {
      await page.goto(`/demo/hps/${id}`);
      await expect(page.getByRole("heading", { name: "Hosted payment page" })).toBeVisible();
    }
  });

  test("a payment goes to the hosted page and back, without the secret", {
    annotation: { type: "requirements", description: "HPS-09 HPS-18" },
    tag: "@desktop",
  }, async ({ page, javaScriptEnabled }) => {
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") posts.push(`${request.url()} ${request.postData()}`);
    });
    await page.goto("/demo/hps");
    await sign(page, javaScriptEnabled);
    await expect(field(page, "transactionkey")).not.toBeEditable();
    await redirect(page).getByRole("button", { name: "Go to payment page" }).click();
    await expect(page.getByRole("heading", { name: "Pay by card" })).toBeVisible();
    const toHosted = posts.filter((post) => post.startsWith(`${process.env.E2E_URL}/sandbox/`));
    expect(toHosted).toHaveLength(1);
    expect(toHosted[0]).toMatch(/transactionkey=[0-9a-f]{40}/);
    expect(toHosted[0]).not.toContain("Merchant_Secret");
    expect(toHosted[0]).not.toContain(secret);
    await payWith(page, "4000 0000 0000 0002");
    await expect(page.getByRole("heading", { name: "Payment declined" })).toBeVisible();
    await expect(page.getByRole("main")).toContainText("Do not honour");
  });

  test("Cancel leads to cancelurl", async ({ page, javaScriptEnabled }) => {
    await page.goto("/demo/hps");
    await sign(page, javaScriptEnabled);
    await redirect(page).getByRole("button", { name: "Go to payment page" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("heading", { name: "Payment cancelled" })).toBeVisible();
  });
});

test("the key and the samples follow every change", {
  annotation: { type: "requirements", description: "HPS-03 HPS-04 HPS-05 HPS-06" },
  tag: "@desktop",
}, async ({ page }) => {
  await page.goto("/demo/hps");
  await begin(page);
  await expect(redirect(page).locator(".island")).toBeAttached();
  await field(page, "merchant_ref_number").fill("REF");
  await field(page, "Merchant_Secret").fill("s");
  await expect(field(page, "transactionkey")).toHaveValue("3ba89485e105cec2bc0b4828816911280401e7c5");
  for (const [name, value] of [
    ["currencydesc", "gbp"],
    ["amount", "5"],
  ] as const) {
    await field(page, name).fill(value);
    await expect(field(page, "transactionkey")).toHaveValue("3ba89485e105cec2bc0b4828816911280401e7c5");
  }
  await field(page, "amount").fill("x");
  await expect(redirect(page).locator("[data-part=amount]")).toHaveText("0.00");
  await expect(field(page, "transactionkey")).not.toHaveValue("3ba89485e105cec2bc0b4828816911280401e7c5");
  for (const language of ["curl", "Go", "PHP", "Node", "Python"]) {
    await redirect(page).getByText(language, { exact: true }).click();
    await expect(redirect(page).getByRole("region", { name: `${language} sample` })).toContainText("GBP0.00REF");
  }
  await field(page, "Merchant_Secret").fill("");
  await expect(redirect(page).getByRole("alert")).toContainText("Please enter");
  await expect(field(page, "transactionkey")).toHaveValue("");
});

test("the secret is neither sent nor stored", {
  annotation: { type: "requirements", description: "HPS-07 SEC-13" },
}, async ({ page, context }) => {
  const canary = "canary-secret-9";
  const sent: string[] = [];
  const shipped: Promise<string>[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  const keep = (response: Response) => {
    if (response.ok() && response.request().method() === "GET") shipped.push(response.text());
  };
  page.on("response", keep);
  await page.goto("/demo/hps");
  await begin(page);
  await expect(redirect(page).locator(".island")).toBeAttached();
  page.off("response", keep); // later responses may be gone with the page before they are read
  for (const text of await Promise.all(shipped)) expect(text).not.toContain(secret);
  expect(shipped.length).toBeGreaterThan(3);
  await field(page, "Merchant_Secret").fill(canary);
  await field(page, "Merchant_Secret").press("Enter");
  // The key was made with a secret that is not the merchant's, and the hosted page notices.
  await expect(page.getByText("none of the usual mistakes explains it.")).toBeVisible();
  expect(sent.length).toBeGreaterThan(3);
  expect(sent.filter((one) => one.includes(canary))).toEqual([]);
  // One cookie says that scripts run, and others which stylesheets the browser has. There are no others.
  expect((await context.cookies()).filter(({ name }) => !/^(scripts$|forecourt-style-)/.test(name))).toEqual([]);
  await page.goto("/demo/hps");
  const kept = await page.evaluate(() => [...Object.values(localStorage), ...Object.values(sessionStorage)]);
  expect(kept).toEqual([]);
});

test("a secret typed before the scripts have loaded also stays in the browser", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route(/\/static\/(hosted-page|react-root)-.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  await page.goto("/demo/hps", { waitUntil: "commit" });
  await field(page, "Merchant_Secret").fill("s");
  await page.evaluate(() => customElements.whenDefined("fc-hosted-page").then(() => undefined));
  const calculate = redirect(page).getByRole("button", { name: "Calculate transactionkey" });
  await calculate.click();
  await expect(calculate).toHaveAttribute("aria-busy", "true");
  await field(page, "Merchant_Secret").focus();
  release();
  await expect(field(page, "transactionkey")).toHaveValue(/^[0-9a-f]{40}$/);
  await expect(field(page, "Merchant_Secret")).toHaveValue("s");
  await expect(field(page, "Merchant_Secret")).toBeFocused();
  expect(posts).toEqual([]);
});

test("the embedded checkout", {
  annotation: { type: "requirements", description: "HPS-11 HPS-12 HPS-13 HPS-14 HPS-16 ROUTE-10" },
  tag: "@desktop",
}, async ({ page }) => {
  const html = await (await page.goto("/demo/hps"))?.text();
  expect(html).not.toMatch(/<script[^>]*(jquery|checkout)\.js/);
  const part = embedded(page);
  await part.scrollIntoViewIfNeeded();
  await expect(part.locator(".island")).toBeAttached();
  for (const name of ["jquery.js", "checkout.js"]) {
    await expect(page.locator(`script[src$="/${name}"]`)).toHaveCount(1);
  }
  await expect(part.getByLabel("amount", { exact: true })).toHaveValue("0.05");
  await expect(part.getByLabel("currency", { exact: true })).toHaveValue("GBP");
  const frame = part.frameLocator("iframe");
  await expect(frame.getByRole("button", { name: "Pay 0.05 GBP" })).toBeVisible();

  await part.getByLabel("amount", { exact: true }).fill("0.07");
  await part.getByLabel("reference", { exact: true }).focus();
  await expect(frame.getByRole("button", { name: "Pay 0.07 GBP" })).toBeVisible();

  const prompt = "One or more of merchantuserid, publickey has changed, please reload the form:";
  await expect(part.getByText(prompt)).toHaveCount(0);
  await part.getByLabel("publickey", { exact: true }).fill("pk-wrong");
  await expect(part.getByText(prompt)).toBeVisible();
  await part.getByRole("button", { name: "Reload" }).click();
  await expect(part.getByText(prompt)).toHaveCount(0);
  await expect(frame.getByText("publickey is not this merchant's.")).toBeVisible();
  await part.getByLabel("publickey", { exact: true }).fill("pk-test-3f1c");
  await part.getByRole("button", { name: "Reload" }).click();

  await frame.getByLabel("Card number").fill("4111 1111 1111 1111");
  await frame.getByLabel("CVC").fill("123");
  await frame.getByRole("button", { name: "Pay 0.07 GBP" }).click();
  await page.waitForURL(/\/demo\/hps\/embedded\?/);
  await expect(page.getByRole("heading", { name: "Payment approved" })).toBeVisible();
});

test("without JavaScript the page itself frames the checkout", {
  annotation: { type: "requirements", description: "HPS-11 HPS-13" },
  tag: "@nojs-only",
}, async ({ page }) => {
  await page.goto("/demo/hps");
  const part = embedded(page);
  await part.getByLabel("amount", { exact: true }).fill("0.09");
  await part.getByRole("button", { name: "Reload" }).click();
  const frame = part.frameLocator("iframe");
  await frame.getByLabel("Card number").fill("4111 1111 1111 1111");
  await frame.getByLabel("CVC").fill("123");
  await frame.getByRole("button", { name: "Pay 0.09 GBP" }).click();
  await expect(page.getByRole("heading", { name: "Payment approved" })).toBeVisible();
});

test("the inspector shows the result and the notification", { tag: "@nojs" }, async ({ page, javaScriptEnabled }) => {
  await page.goto("/demo/hps");
  await sign(page, javaScriptEnabled);
  await redirect(page).getByRole("button", { name: "Go to payment page" }).click();
  await payWith(page, "4000 0000 0000 3220");
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Payment approved" })).toBeVisible();
  const notified = page.getByRole("heading", { name: "Sent to notifyurl" }).locator("..");
  for (const text of ["result", "approved", "customer_email", "jo@example.com", "transactionkey"]) {
    await expect(notified).toContainText(text);
  }
});
