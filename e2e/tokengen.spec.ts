import { colourOf, expectAccessible } from "./inspect";
import { cards } from "./payment-page";
import { expect, test } from "./test";
import { invite, TokenPage } from "./tokengen-page";
import { fetchPacked, stylesOf, total } from "./wire";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("a link makes one token, and the token makes pay links that are paid", {
  annotation: { type: "requirements", description: "TOKEN-01 TOKEN-06 TOKEN-07 TOKEN-15 TOKEN-20 ROUTE-23" },
  tag: "@nojs",
}, async ({ page, payment, request }) => {
  const invited = await invite();
  const form = new TokenPage(page);
  await form.open(invited.docId);
  await form.fill({ ...invited, secretKey: "guessed" });
  await form.generate.click();
  await expect(page.getByRole("alert")).toHaveText("Invalid email or secret key.");
  const refused = await colourOf(page.getByRole("alert").getByText("Invalid email or secret key."));
  expect(refused.red, "the message is red").toBeGreaterThan(2 * Math.max(refused.green, refused.blue));
  await expect(form.email).toHaveValue(invited.email);
  await expect(form.secretKey).toHaveValue("");
  await form.fill(invited);
  await form.generate.click();
  const token = await form.token();
  expect(token).toMatch(uuid);
  const granted = await colourOf(page.getByRole("heading", { name: "Bearer Token generated" }));
  expect(granted.green, "the message is green").toBeGreaterThan(1.3 * Math.max(granted.red, granted.blue));
  await expect(page.getByText("This token is not shown again.")).toBeVisible();
  const room = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(room, "nothing overflows the page").toBeLessThanOrEqual(0);

  await form.open(invited.docId);
  await expect(
    page.getByRole("heading", { name: /^Token is already generated for this user\. Please contact / }),
  ).toBeVisible();
  await expect(form.email).toHaveCount(0);

  const headers = { Authorization: `Bearer ${token}` };
  const made = await request.post("/api/batch", {
    headers: { ...headers, "Content-Type": "text/csv" },
    data: "\ufeffamount;reference;description\r\n31.40;INV-31;Two cakes\r\n5;INV-32;\r\n",
  });
  expect(made.status()).toBe(201);
  const { id, rows } = await made.json();
  await page.goto(rows[0].url);
  await payment.payWith(cards.approved);
  await payment.expectState("success", "completed");
  const states = async () => {
    const { rows } = await (await request.get(`/api/batch/${id}`, { headers })).json();
    return rows.map((row: { status: string }) => row.status);
  };
  await expect.poll(states).toEqual(["paid", "new"]);
});

test("the link is checked first, and the button says that it is busy", {
  annotation: { type: "requirements", description: "TOKEN-02 TOKEN-04 TOKEN-05 TOKEN-11" },
  tag: "@desktop",
}, async ({ page }) => {
  const gates: (() => void)[] = [];
  await page.route("**/onboarding/**", async (route) => {
    if (route.request().headers()["hx-request"]) await new Promise<void>((go) => gates.push(go));
    await route.continue();
  });
  const invited = await invite();
  const form = new TokenPage(page);
  await form.open(invited.docId);
  await expect(page.getByText("Checking link validity...")).toBeVisible();
  await expect(form.email).toBeHidden();
  await expect.poll(() => gates.length).toBe(1);
  gates[0]?.();
  await expect(form.email).toBeVisible();
  await expect(page.getByText("Checking link validity...")).toHaveCount(0);

  await form.generate.click();
  expect(gates, "an empty form is not sent").toHaveLength(1);
  await form.fill(invited);
  await form.generate.click();
  await expect(page.getByRole("button", { name: "Generating..." })).toBeDisabled();
  await expect.poll(() => gates.length).toBe(2); // the button changes before the request arrives here
  gates[1]?.();
  await form.token();
  await expect(page.getByRole("heading", { name: "Bearer Token generated" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Copy" })).toBeVisible();
});

test("a link that does not exist shows why, and no form", {
  annotation: { type: "requirements", description: "TOKEN-08 TOKEN-14" },
  tag: "@nojs",
}, async ({ page }) => {
  const form = new TokenPage(page);
  await form.open("AAAAAAAAAAAAAAAAAAAAAAAAAA");
  await expect(page.getByRole("heading", { name: "Invalid or expired link." })).toBeVisible();
  await expect(form.email).toHaveCount(0);
});

test("every state of the token page is accessible, light and dark, and comes in the first 14 KB", async ({ page }) => {
  test.slow();
  const form = new TokenPage(page);
  const invited = await invite();
  await form.open("unknown-link");
  await expect(page.getByRole("heading", { name: "Invalid or expired link." })).toBeVisible();
  await expectAccessible(page, "invalid");
  await form.open(invited.docId);
  await expect(form.email).toBeVisible();
  await expectAccessible(page, "form");
  const html = await fetchPacked(new URL(page.url()));
  const styles = stylesOf(html.text, new URL(page.url()));
  expect(html.bytes + (await total(styles))).toBeLessThanOrEqual(14 * 1024);
  await form.fill({ ...invited, email: "bob@example.com" });
  await form.generate.click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expectAccessible(page, "form with a problem");
  await form.fill(invited);
  await form.generate.click();
  await form.token();
  await expectAccessible(page, "done");
});
