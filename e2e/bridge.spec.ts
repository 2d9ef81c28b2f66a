import type { Page } from "@playwright/test";
import { expectAccessible } from "./inspect";
import { startProgram } from "./program";
import { TerminalPage } from "./terminal-page";
import { expect, test as site } from "./test";

// A terminal takes one payment at a time, so each worker has its own and its tests run one by one.
site.describe.configure({ mode: "default" });

const untouched = site.extend<{ terminal: TerminalPage }, { service: string }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from the pattern
    async ({}, use, { workerIndex }) => {
      const own = await startProgram(`bridge-${workerIndex}`, ["bridge", "--addr", "127.0.0.1:0"]);
      await use(own.url);
      await own.stop();
    },
    { scope: "worker" },
  ],
  // The test opens the page, once it has said what becomes of its scripts. Nothing but what the test does uses the page.
  terminal: async ({ page, service }, use) => {
    await lead(page, service);
    await use(new TerminalPage(page, service));
  },
});

const test = untouched.extend({
  terminal: async ({ terminal }, use) => {
    await terminal.open();
    await terminal.ready();
    await use(terminal);
  },
});

// lead redirects the page's calls to its terminal service to another one.
async function lead(page: Page, elsewhere: string): Promise<void> {
  await page.route(`${process.env.E2E_BRIDGE_URL}/**`, (route) => {
    const { pathname, search } = new URL(route.request().url());
    return route.continue({ url: elsewhere + pathname + search });
  });
}

test("a payment is approved", {
  annotation: {
    type: "requirements",
    description: "BRIDGE-02 BRIDGE-04 BRIDGE-05 BRIDGE-06 BRIDGE-10 BRIDGE-13 BRIDGE-15 BRIDGE-17 BRIDGE-32",
  },
  tag: "@desktop",
}, async ({ isMobile, page, terminal }) => {
  await expect(terminal.amount).toHaveValue("5.00");
  const before = Date.now();
  const goOn = await terminal.hold("processing");
  await terminal.process.click();
  await expect(terminal.status).toContainText("processing");
  await expect(terminal.cancel).toBeVisible();
  await expect(terminal.next).toBeHidden();
  await goOn();
  await expect(terminal.status).toContainText("approved");
  await expect(terminal.next).toBeVisible();
  await expect(terminal.cancel).toBeHidden();
  await expect(terminal.next).toBeFocused();

  expect(terminal.calls[0]).toBe("/status/");
  const paid = /^\/pay\/\?ref=(\d+)&amount=5\.00$/.exec(terminal.calls[1] ?? "");
  const ref = Number(paid?.[1]);
  expect(ref).toBeGreaterThanOrEqual(before);
  expect(ref).toBeLessThanOrEqual(Date.now());
  expect(new Set(terminal.calls.slice(2))).toEqual(new Set(["/status/"]));
  for (const request of terminal.sent) {
    expect(request.method()).toBe("GET");
    expect(request.headers()["content-type"]).toBe("application/json");
  }
  await expect(terminal.log).toContainText(`GET /pay/?ref=${ref}&amount=5.00`);
  await expect(terminal.log).toContainText('"status": "approved"');
  if (isMobile) await expectAccessible(page, "an approved payment");
  await terminal.next.click();
  await terminal.expectEntry();
});

for (const [amount, result] of [
  ["5.05", "declined"],
  ["1.08", "timeout"],
] as const) {
  test(`a payment of ${amount} ends as ${result}`, {
    annotation: { type: "requirements", description: "BRIDGE-12" },
  }, async ({ terminal }) => {
    await terminal.pay(amount);
    await expect(terminal.status).toContainText(result);
    await expect(terminal.next).toBeVisible();
  });
}

test("a payment is cancelled at the terminal", {
  annotation: { type: "requirements", description: "BRIDGE-14" },
}, async ({ terminal }) => {
  await terminal.hold("connecting");
  await terminal.pay("7.05");
  await expect(terminal.status).toContainText("connecting");
  await terminal.cancel.click();
  await terminal.expectEntry();
  await expect(terminal.status).toHaveText("Last payment: cancelled");
  const ref = /ref=(\d+)/.exec(terminal.calls[1] ?? "")?.[1];
  expect(terminal.calls.at(-1)).toBe(`/cancel/?ref=${ref}`);
});

test("without a device the page says so and starts over", {
  annotation: { type: "requirements", description: "BRIDGE-03 BRIDGE-07 BRIDGE-08" },
}, async ({ page, terminal }) => {
  const unplugged = await startProgram("bridge-unplugged", ["bridge", "--addr", "127.0.0.1:0", "--unplugged"]);
  await lead(page, unplugged.url);
  let answer = () => {};
  const seen = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/status/", async (route) => {
    await seen;
    await route.fallback();
  });
  await terminal.process.click();
  await expect(terminal.status).toHaveText("Connecting");
  answer();
  await expect(terminal.status).toHaveText("No device connected");
  await terminal.expectEntry();
  expect(terminal.calls).toEqual(["/status/"]);
  await unplugged.stop();
});

test("without the service the page uses the fallback, says so, and ends", {
  annotation: { type: "requirements", description: "BRIDGE-25 BRIDGE-26 BRIDGE-27" },
}, async ({ page, terminal }) => {
  await page.route(`${process.env.E2E_BRIDGE_URL}/**`, (route) => route.abort("connectionrefused"));
  await page.clock.install();
  await terminal.process.click();
  await expect(terminal.status).toHaveText(/^ready\s*Simulated status$/);
  await terminal.cancel.click();
  await terminal.expectEntry();
  await expect(terminal.status).toHaveCount(0);

  await terminal.process.click();
  await expect(terminal.status).toHaveText(/^ready\s*Simulated status$/);
  await page.clock.fastForward(120_000);
  await expect(terminal.next).toBeVisible();
  await expect(terminal.status).toHaveText(/^ready\s*Simulated status$/);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(terminal.log).toContainText("no answer");
});

test("a text that is not an amount is refused at its field", async ({ page, terminal }) => {
  for (const amount of ["0", "five", "1.005", ""]) {
    await terminal.pay(amount);
    await expect(page.getByText("Enter an amount above zero, such as 5.00")).toBeVisible();
    await expect(terminal.amount).toBeFocused();
  }
  expect(terminal.calls).toEqual([]);
});

const chunk = /\/static\/demo-.*\.js/;

// holdBack keeps the island's script back until the returned function is called.
async function holdBack(page: Page): Promise<() => void> {
  let arrive = () => {};
  const held = new Promise<void>((done) => {
    arrive = done;
  });
  await page.route(chunk, async (route) => {
    await held;
    await route.continue();
  });
  return arrive;
}

// expectOnePayment checks that one payment of an amount has begun without leaving the page, and cancels it.
async function expectOnePayment(page: Page, terminal: TerminalPage, amount: string): Promise<void> {
  await expect(terminal.cancel).toBeVisible();
  await expect.poll(() => terminal.calls.length).toBeGreaterThan(2);
  const payments = terminal.calls.filter((call) => call.startsWith("/pay/"));
  expect(payments).toEqual([expect.stringMatching(`^/pay/\\?ref=\\d+&amount=${amount}$`)]);
  expect(new URL(page.url()).search).toBe("");
  await terminal.cancel.click();
  await expect(terminal.status).toHaveText("Last payment: cancelled"); // or the terminal is busy when the next test begins
}

untouched("a tap pays, even if it is the first use of the page", async ({ page, terminal }) => {
  await terminal.open();
  await terminal.process.tap();
  await expectOnePayment(page, terminal, "5.00");
});

untouched(
  "a long click pays, although the scripts arrive during it",
  { tag: "@desktop-long" },
  async ({ page, terminal }) => {
    const arrive = await holdBack(page);
    const response = page.waitForResponse(chunk);
    await terminal.open();
    await terminal.process.hover();
    await page.mouse.down();
    arrive();
    const url = (await response).url();
    await page.evaluate((url) => import(url).then(() => new Promise((done) => setTimeout(done))), url);
    await page.mouse.up();
    await expectOnePayment(page, terminal, "5.00");
  },
);

untouched(
  "Enter pays the amount that was typed before the scripts arrived",
  { tag: "@desktop-long" },
  async ({ page, terminal }) => {
    const arrive = await holdBack(page);
    await terminal.open();
    const focused = () => terminal.amount.evaluate((field) => field === document.activeElement);
    while (!(await focused())) await page.keyboard.press("Tab");
    await page.keyboard.type("7.05");
    await page.keyboard.press("Enter");
    arrive();
    await expectOnePayment(page, terminal, "7\\.05");
  },
);

untouched(
  "however often a person taps while the scripts are on their way, there is one payment",
  async ({ page, terminal }) => {
    const arrive = await holdBack(page);
    await terminal.open();
    const place = () =>
      terminal.process.evaluate((button: HTMLElement) => [button.offsetTop, button.offsetWidth, button.offsetHeight]);
    const before = await place();
    for (let taps = 0; taps < 3; taps++) await terminal.process.tap();
    await expect(terminal.process).toHaveAttribute("aria-busy", "true");
    expect(await place(), "nothing moves").toEqual(before);
    expect(terminal.calls).toEqual([]);
    arrive();
    await expectOnePayment(page, terminal, "5.00");
  },
);

untouched(
  "scripts that do not arrive are named as the reason, and a reload fetches them again",
  async ({ complaints, page, terminal }) => {
    await page.route(chunk, (route) => route.abort());
    await terminal.open();
    for (let taps = 1; taps <= 2; taps++) {
      await terminal.process.tap();
      await expect.poll(() => complaints.length, "each tap tries again").toBeGreaterThanOrEqual(taps);
      await expect(page.getByRole("alert")).toHaveText(/^This part of the page could not be loaded/);
      await expect(terminal.process).not.toHaveAttribute("aria-busy");
    }
    expect(new Set(complaints.splice(0))).toEqual(new Set(["error: a chunk could not be loaded"]));
    await page.unroute(chunk);
    await page.reload();
    await terminal.process.tap();
    await expectOnePayment(page, terminal, "5.00");
  },
);

site(
  "without scripts the page says what it needs",
  {
    annotation: { type: "requirements", description: "BRIDGE-01" },
    tag: "@nojs-only",
  },
  async ({ page }) => {
    await page.goto("/demo/bridge");
    await expect(page.getByLabel("Amount in AUD")).toHaveValue("5.00");
    await expect(page.getByText("The payment needs JavaScript")).toBeVisible();
    await expect(page.getByText("bin/forecourt bridge --addr")).toBeVisible();
  },
);
