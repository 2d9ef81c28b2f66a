import type { Page } from "@playwright/test";
import { captures, expectCharged } from "./ledger";
import { cards, PaymentPage } from "./payment-page";
import { expect, renew, test } from "./test";
import { total } from "./wire";

test.describe("paying by card", { tag: "@nojs" }, () => {
  test("a new transaction is paid once, then shows what is made where", {
    annotation: {
      type: "requirements",
      description: "PAY-01 PAY-04 PAY-05 PAY-06 PAY-08 PAY-09 PAY-10 PAY-16 PAY-28 PAY-35 PAY-36",
    },
    tag: "@desktop",
  }, async ({ page, payment }) => {
    const id = await payment.order(["Flat White", "Butter Croissant"]);
    await payment.expectState("form");
    await expect(page.locator("#payment")).toContainText("AUD");
    await expect(page.locator("#payment")).toContainText(id);
    await expect(page.getByRole("banner").locator("img")).toBeVisible();
    for (const field of [payment.name, payment.email, payment.number, payment.expiry, payment.cvc]) {
      await expect(field).toBeVisible();
    }
    await expect(payment.payButton).toHaveText(/Pay \$10\.40/);
    const footer = page.getByRole("contentinfo");
    await expect(footer).toContainText("©");
    await expect(footer.getByRole("link", { name: /privacy/i })).toBeVisible();
    await expect(footer.getByRole("link", { name: /terms/i })).toBeVisible();

    await payment.payWith(cards.approved);
    await payment.expectPaid();
    await expectCharged(id, "10.40");
    await renew(page);
    await payment.expectState("status");
    await expect(page.getByRole("heading", { name: "Kitchen" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Bar" })).toBeVisible();
  });

  test("a form with mistakes is not sent; a declined card says why, and Try Again? pays with another", {
    annotation: { type: "requirements", description: "PAY-24 PAY-57 PAY-11 PAY-31 PAY-32 PAY-33 PAY-34 PAY-56" },
  }, async ({ page, payment }) => {
    const id = await payment.order();
    await payment.fill("4111 1111 1111 1112", { expiry: "01/20", cvc: "1", email: "x" });
    await payment.name.fill("");
    await payment.payButton.click();
    for (const field of [payment.name, payment.number, payment.expiry, payment.cvc, payment.email]) {
      await expect(field).toHaveAttribute("aria-invalid", "true");
    }
    await expect(page.getByText("Invalid email").first()).toBeVisible();
    await payment.expectState("form");

    await payment.payWith(cards.declined);
    await payment.expectState("failure");
    for (const text of ["Oops!", "Payment Unsuccessful", "Please select different payment method.", "Do not honour"]) {
      await expect(page.locator("#payment")).toContainText(text);
    }
    expect(await captures(id)).toEqual([]);
    await renew(page);
    await payment.expectState("failure");
    await payment.tryAgain.click();
    await payment.expectState("form");
    await renew(page);
    await payment.expectState("form");
    await payment.payWith(cards.approved);
    await payment.expectPaid();
    await expectCharged(id, "4.90");
  });

  test("3-D Secure: refusing at the bank charges nothing and offers another try; approving there pays", {
    annotation: { type: "requirements", description: "PAY-43" },
  }, async ({ page, payment }) => {
    const id = await payment.order();
    const back = new RegExp(`/pos/panezski/${id}`);
    await payment.payWith(cards.challenge);
    await payment.reachBank();
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.waitForURL(back);
    await payment.expectState("failure");
    expect(await captures(id)).toEqual([]);
    await payment.tryAgain.click();
    await payment.expectState("form");
    await payment.payWith(cards.challenge);
    await payment.reachBank();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.waitForURL(back);
    await payment.expectPaid();
    await expectCharged(id, "4.90");
  });

  test("a payment whose gateway charges but never answers ends as paid, by itself and once", async ({ payment }) => {
    const id = await payment.order();
    await payment.payWith(cards.silentCharged);
    await payment.expectPaid();
    await expectCharged(id, "4.90");
  });

  test("the demo transaction ends as its address asks, and charges nobody", {
    annotation: { type: "requirements", description: "PAY-02 PAY-03 PAY-46 PAY-47" },
  }, async ({ page, payment }) => {
    await page.goto("/pos/panezski/demo");
    await expect(page.locator("#payment")).toContainText("1,000.52");
    await expect(page.locator("#payment")).toContainText("AUD");
    await payment.payWith(cards.approved);
    await payment.expectState("success");
    await page.goto("/pos/panezski/demo?result=error");
    await payment.payWith(cards.approved);
    await payment.expectState("failure");
    expect(await captures("demo")).toEqual([]);
  });

  test("a double click on Pay charges once", async ({ javaScriptEnabled, payment }) => {
    const id = await payment.order();
    if (javaScriptEnabled) await payment.mounted();
    await payment.fill(cards.approved);
    await payment.payButton.dblclick();
    await payment.expectPaid();
    await expectCharged(id, "4.90");
  });

  test("two tabs that pay the same order charge once", async ({ page, payment, context }) => {
    const id = await payment.order();
    const second = await context.newPage();
    await second.goto(page.url());
    const other = new PaymentPage(second);
    await Promise.all([payment.fill(cards.approved), other.fill(cards.approved)]);
    await Promise.all([payment.payButton.click(), other.payButton.click()]);
    await payment.expectPaid();
    await other.expectPaid();
    await expectCharged(id, "4.90");
  });
});

test("a card without money is declined in the bank's words; after a gateway failure without a charge another try is offered", {
  annotation: { type: "requirements", description: "PAY-31" },
}, async ({ page, payment }) => {
  const id = await payment.order();
  await payment.payWith(cards.insufficient);
  await payment.expectState("failure");
  await expect(page.locator("#payment")).toContainText("Insufficient funds");
  await payment.tryAgain.click();
  await payment.expectState("form");
  await payment.payWith(cards.failsUncharged);
  await payment.expectState("failure");
  await payment.tryAgain.click();
  await payment.expectState("form");
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  await expectCharged(id, "4.90");
});

test("a payment whose gateway fails after charging ends as paid, by itself and once", async ({ payment }) => {
  const id = await payment.order();
  await payment.payWith(cards.failsCharged);
  await payment.expectPaid();
  await expectCharged(id, "4.90");
});

test("an unknown reference gets a page that names it", {
  annotation: { type: "requirements", description: "PAY-14 PAY-15" },
}, async ({ page }) => {
  await page.goto("/pos/panezski/zzz");
  await expect(page.getByRole("heading", { name: "No such transaction" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("zzz");
  await expect(page.getByRole("main")).toContainText(
    "We were unable to retrieve a payment request related to this transaction reference.",
  );
});

test("test mode fills in a demo card, a live transaction does not; the fields format what is typed", {
  annotation: { type: "requirements", description: "PAY-25 PAY-18 PAY-20 PAY-21 PAY-22 PAY-23" },
}, async ({ payment }) => {
  await payment.order();
  await expect(payment.number).toHaveValue("4111 1111 1111 1111");
  await payment.order(["Lemon Sorbet"], "tahbella");
  await expect(payment.number).toHaveValue("");
  await payment.mounted();
  await payment.number.pressSequentially("4a111b1");
  await expect(payment.number).toHaveValue("4111 1");
  await payment.expiry.pressSequentially("1a2/34");
  await expect(payment.expiry).toHaveValue("12/34");
  await payment.cvc.pressSequentially("12x345");
  await expect(payment.cvc).toHaveValue("1234");
  await payment.expectMasked();
});

test("a card pays in place with at most 25 KB of JavaScript where data is dear, and no wallets are fetched", async ({
  page,
  payment,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  const scripts = new Map<string, URL>();
  let opened = 0;
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.set(request.url(), new URL(request.url()));
    if (request.isNavigationRequest()) opened++;
  });
  await payment.order();
  await payment.mounted();
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  expect(opened, "the page is opened once").toBe(1);
  expect(scripts.size, "one file, and one that follows the payment").toBe(2);
  expect(await total([...scripts.values()], "body")).toBeLessThanOrEqual(25 * 1024);
});

for (const late of [0, 500, 3000]) {
  test(`typed text stays when scripts come ${late} ms late, also in the focused field; then the form pays`, async ({
    page,
    payment,
  }) => {
    await payment.order();
    const address = page.url();
    let arrived = 0;
    await page.route(/\/static\/.*\.js/, async (route) => {
      await new Promise((done) => setTimeout(done, late));
      await route.continue();
      arrived++;
    });
    await page.goto(address, { waitUntil: "commit" });
    await payment.name.fill("Grace Hopper");
    await payment.email.fill("grace@example.com");
    await payment.number.fill(""); // test mode fills in a demo card
    await payment.number.pressSequentially("4111111111111111", { delay: 30 });
    await expect.poll(() => arrived, "the scripts of the form").toBeGreaterThanOrEqual(2);
    await expect(payment.number).toBeFocused();
    await expect(payment.number).toHaveValue(/^4111 ?1111 ?1111 ?1111$/);
    await payment.number.blur();
    await payment.mounted();
    await expect(payment.name).toHaveValue("Grace Hopper");
    await expect(payment.email).toHaveValue("grace@example.com");
    await expect(payment.number).toHaveValue(cards.approved);
    await payment.expiry.fill("12/34");
    await payment.cvc.fill("123");
    await payment.payButton.click();
    await payment.expectPaid();
  });
}

// wrong are the fields of the form that are marked as wrong, in their order.
function wrong(page: Page): Promise<(string | null)[]> {
  return page
    .locator("fc-card-form [aria-invalid=true]")
    .evaluateAll((fields) => fields.map((field) => field.getAttribute("name")));
}

for (const [what, type, marked] of [
  [
    "card number",
    async ({ number }: PaymentPage) => number.pressSequentially("4111 1111 1111 1112"),
    ["card", "exp", "cvc", "name"],
  ],
  [
    "email",
    async (payment: PaymentPage) => {
      await payment.fill(cards.approved, { email: "" });
      await payment.email.pressSequentially("x");
    },
    ["email"],
  ],
] as const) {
  test(`Pay counts at the first press with a wrong ${what} in the focused field`, { tag: "@desktop" }, async ({
    isMobile,
    page,
    payment,
  }) => {
    await payment.order(["Lemon Sorbet"], "tahbella");
    await payment.mounted();
    await page.locator("fc-card-form form").evaluate((form) => {
      form.addEventListener("submit", () => {
        form.dataset.sent = String(Number(form.dataset.sent ?? 0) + 1);
      });
    });
    await type(payment);
    await payment.payButton.scrollIntoViewIfNeeded();
    const box = (await payment.payButton.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (isMobile) await page.touchscreen.tap(x, y);
    else await page.mouse.click(x, y, { delay: 150 }); // as long as a person presses
    await expect.poll(() => wrong(page)).toEqual(marked);
    await expect(page.locator("fc-card-form form")).toHaveAttribute("data-sent", "1");
    await expect(page.locator(`fc-card-form [name=${marked[0]}]`)).toBeFocused();
  });
}

test("Tab shows at once what is wrong with a field", async ({ page, payment }) => {
  await payment.order(["Lemon Sorbet"], "tahbella");
  await payment.mounted();
  await payment.number.pressSequentially("4111 1111 1111 1112");
  await payment.number.press("Tab");
  expect(await wrong(page)).toEqual(["card"]);
});

test("a phone's first screen holds the wallets, the card and Pay", async ({ page, payment }) => {
  await page.goto("/pos/panezski/demo");
  await expect(page.getByRole("button", { name: "Google Pay" })).toBeInViewport({ ratio: 1 });
  await expect(payment.payButton).toBeInViewport({ ratio: 1 });
});
