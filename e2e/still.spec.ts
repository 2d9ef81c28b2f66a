import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { KitchenPage } from "./kitchen-page";
import { cards, PaymentPage } from "./payment-page";
import { expect, test } from "./test";

// A screen that stands still says so, and a device's clock counts for nothing.

// A Way leads to the program. Its connections can be made to die without a word, as when a device sleeps or loses its Wi-Fi; later ones work.
interface Way {
  url: string;
  die(): void;
  close(): void;
}

async function way(): Promise<Way> {
  const { hostname, port } = new URL(process.env.E2E_URL ?? "");
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    for (const end of [near, far]) {
      open.add(end);
      end.on("error", () => undefined);
      end.on("close", () => open.delete(end));
    }
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    die() {
      for (const end of open) {
        end.unpipe();
        end.pause();
      }
    },
    close() {
      for (const end of open) end.destroy();
      server.close();
    },
  };
}

for (const wakes of ["nothing", "online", "visibilitychange"]) {
  test(`a kitchen screen whose connection died comes back within a minute; what wakes it: ${wakes}`, async ({
    page,
  }) => {
    const kitchen = new KitchenPage(page);
    await kitchen.open("tahbella");
    const proxy = await way();
    await page.clock.install();
    const followed = page.waitForResponse(/kitchen\/events/);
    await page.goto(`${proxy.url}/pos/tahbella/kitchen`);
    await expect(page.locator("#link")).toHaveText("");
    await followed;
    proxy.die();
    const other = new PaymentPage(await page.context().newPage());
    const table = `S${wakes.length}`;
    await other.order(["Lemon Sorbet"], "tahbella", table);
    await other.payWith(cards.approved);
    await other.expectPaid();
    await page.bringToFront();
    if (wakes === "nothing") await page.clock.runFor(45_000);
    else await page.evaluate((type) => (type === "online" ? window : document).dispatchEvent(new Event(type)), wakes);
    const heading = page.getByRole("heading", { name: `Table ${table}` }).first();
    await expect(heading).toBeVisible({ timeout: 30_000 }); // the browser may first try a dead connection once more
    proxy.close();
  });
}

test("a kitchen screen that hears nothing says so", async ({ page }) => {
  const kitchen = new KitchenPage(page);
  await kitchen.open("tahbella");
  const proxy = await way();
  await page.clock.install();
  const followed = page.waitForResponse(/kitchen\/events/);
  await page.goto(`${proxy.url}/pos/tahbella/kitchen`);
  await followed;
  proxy.close();
  await page.clock.runFor(45_000);
  await expect(page.locator("#link")).toHaveText(/^Not connected/);
});

for (const [device, minutes] of [
  ["fast", 45],
  ["slow", -45],
  ["years ahead", 5_000_000],
] as const) {
  test(`on a device whose clock is ${device} an order is as old as the server says`, async ({ page }) => {
    const payment = new PaymentPage(page);
    const table = `C${device.length}`;
    await payment.order(["Lemon Sorbet"], "tahbella", table);
    await payment.payWith(cards.approved);
    await payment.expectPaid();
    await page.clock.install({ time: Date.now() + minutes * 60_000 });
    await new KitchenPage(page).open("tahbella");
    const ticket = page.locator(".ticket").filter({ has: page.getByRole("heading", { name: `Table ${table}` }) });
    await expect(ticket.first().locator("time")).toHaveText(/^(just now|1 minute)$/);
    await page.clock.runFor(15_000);
    await expect(ticket.first().locator("time")).toHaveText(/^(just now|1 minute)$/);
    await expect(page.locator("#ends")).toBeHidden();
  });
}

test("a device in 2036 warns that a card has expired, and lets the server decide", async ({ page, payment }) => {
  await page.clock.install({ time: new Date("2036-01-01") });
  await payment.order();
  await payment.mounted();
  await payment.fill(cards.approved);
  await payment.cvc.focus();
  await expect(page.getByText("This card has expired")).toBeVisible();
  await payment.payButton.click();
  await payment.expectPaid();
});

for (const [then, act, state] of [
  ["is paid", async (tab: PaymentPage) => tab.payWith(cards.approved), /^(success|status)$/],
  ["is declined", async (tab: PaymentPage) => tab.payWith(cards.declined), /^failure$/],
] as const) {
  test(`a second tab of a payment shows that it ${then} in the first`, async ({ context, page, payment }) => {
    await payment.order();
    const second = await context.newPage();
    await second.goto(page.url());
    await second.locator("fc-card-form[hx-morph-skip]").waitFor();
    await act(payment);
    await expect(page.locator("#payment")).toHaveAttribute("data-state", state, { timeout: 30_000 });
    await expect(second.locator("#payment")).toHaveAttribute("data-state", state, { timeout: 15_000 }); // by itself
  });
}

test("a second tab that shows a refusal shows the payment once another tab has tried again and paid", async ({
  context,
  page,
  payment,
}) => {
  await payment.order();
  await payment.payWith(cards.declined);
  await payment.expectState("failure");
  const second = await context.newPage();
  await second.goto(page.url());
  await page.bringToFront();
  await payment.tryAgain.click();
  await payment.expectState("form");
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  await expect(second.locator("#payment")).toHaveAttribute("data-state", /^(success|status)$/, { timeout: 15_000 });
});
