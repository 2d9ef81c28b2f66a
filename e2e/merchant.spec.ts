import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expectAccessible } from "./inspect";
import { MerchantPage } from "./merchant-page";
import { signIn } from "./people";
import { startProgram } from "./program";
import { expect, test } from "./test";

const headers = { "Content-Type": "application/json" };

test("a new merchant makes a payment with its own credentials", {
  annotation: { type: "requirements", description: "ADMIN-13 ADMIN-22 ADMIN-40 ADMIN-52" },
  tag: "@nojs",
}, async ({ page, request, javaScriptEnabled }) => {
  const merchant = new MerchantPage(page);
  await merchant.signUp("?r&s=LBS");
  await merchant.name("Ann's Apple Shop");
  if (javaScriptEnabled) {
    const info = () => page.evaluate(() => JSON.parse(localStorage.getItem("info") ?? "{}"));
    // The step is sent without leaving the page, so its effect comes a moment after the press.
    await expect.poll(info).toMatchObject({ firstName: "Ann", shortCode: "annsapple", basicInfoDone: true });
    expect(await info()).not.toHaveProperty("password");
  }
  await merchant.answer("Custom software");
  await expect(page.getByRole("radio", { name: "For sub-merchants" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("radio", { name: "Custom software" })).toBeVisible();
  await merchant.answer("Custom software");
  await merchant.answer("For sub-merchants");
  await expect(page.getByRole("checkbox", { name: "Payments on the go" })).toBeChecked();
  await page.getByRole("checkbox", { name: "EMV" }).uncheck();
  await page.getByRole("checkbox", { name: "Terminal SDKs" }).uncheck();
  await merchant.submit();
  await expect(page.getByRole("heading", { name: "Terminal SDKs" })).toHaveCount(0);

  await expect(page.getByText(/^ts_/)).toHaveCount(0);
  await page.getByRole("button", { name: "Show Terminal secret" }).click();
  await expect(page.getByText(/^ts_[A-Z2-7]{26}$/)).toBeVisible();

  const { address, body } = await merchant.curl();
  const paid = await request.post(address, { headers, data: body });
  expect(paid.status()).toBe(200);
  expect((await paid.json()).status.statuscode).toBe("0");
  const changed = await request.post(address, { headers, data: body.replace('"5.00"', '"5.01"') });
  expect(changed.status()).toBe(401);
  await page.getByRole("link", { name: "Request log" }).first().click();
  await expect(page.locator(".log summary")).toContainText(["401", "200"]);
  await request.post(address, { headers, data: body });
  await page.getByRole("link", { name: "Refresh" }).click();
  await expect(page.locator(".log summary")).toContainText(["200", "401", "200"]);
  const room = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(room, "nothing overflows the page").toBeLessThanOrEqual(0);
});

test("Next waits for two characters in each name", {
  annotation: { type: "requirements", description: "ADMIN-08 ADMIN-09" },
}, async ({ page }) => {
  const merchant = new MerchantPage(page);
  await merchant.signUp();
  const next = page.getByRole("button", { name: "Next" });
  await expect(next).toBeDisabled();
  await page.getByLabel("First Name").fill("Ann");
  await page.getByLabel("Last Name").fill("Lee");
  await page.getByLabel("Business Name").fill("B");
  await expect(next).toBeDisabled();
  await page.getByLabel("Business Name").press("Enter");
  await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
  await page.getByLabel("Business Name").fill("Be");
  await expect(next).toBeEnabled();
});

test("axe finds nothing on the dashboard and in a document", async ({ page }) => {
  test.slow();
  await signIn(page, "demo@forecourt.test");
  for (const path of ["/merchant/admin", "/merchant/admin?step=welcome", "/docs/quick-start", "/docs/api"]) {
    await page.goto(path);
    if (path === "/merchant/admin") await expect(page.getByRole("heading", { name: "Harbour Kitchens" })).toBeVisible();
    await expectAccessible(page, path);
  }
});

interface Message {
  command: string;
  merchantId?: string;
  key?: string;
  height: number;
}

// shop serves another site: a page that frames the dashboard, sends it "get", and keeps what it receives.
async function shop(host = "127.0.0.1") {
  let framed = "";
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(`<!doctype html><title>Shop</title><iframe src="${framed}" width="500" height="300"></iframe><script>
      window.heard = [];
      addEventListener("message", (event) => {
        heard.push(event.data);
        if (event.data.command === "get") event.source.postMessage({ command: "get" }, event.origin);
      });
    </script>`);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    frame: (address: string) => {
      framed = address;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test(
  "an allowed site hears of the key, a hostile one of nothing",
  { annotation: { type: "requirements", description: "ADMIN-35 ADMIN-36 ADMIN-37 ADMIN-38 ADMIN-39 ADMIN-53" } },
  async ({ page, context }, info) => {
    const [friend, stranger] = [await shop(), await shop()];
    const program = await startProgram(`embed-${info.testId}`, ["serve"], {
      FORECOURT_ADDR: "127.0.0.1:0",
      EMBED_ORIGINS: friend.url,
    });
    try {
      for (const site of [friend, stranger]) site.frame(`${program.url}/merchant/admin?e=420`);
      const heard = (of = page) => of.evaluate(() => (window as Window & { heard?: Message[] }).heard ?? []);

      await page.goto(friend.url);
      await expect.poll(heard).toContainEqual(expect.objectContaining({ command: "get" }));
      expect((await heard()).every((message) => !message.key)).toBe(true);
      const frame = page.frameLocator("iframe");
      await frame.getByLabel("Email").fill("demo@forecourt.test");
      await frame.getByLabel("Password", { exact: true }).fill("Demo-pass-1");
      await frame.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(`${program.url}/merchant/admin`);

      await page.goto(friend.url);
      await expect.poll(heard).toContainEqual(
        expect.objectContaining({
          command: "set",
          key: expect.stringMatching(/^ts_/),
          merchantId: expect.any(String),
        }),
      );
      await expect(frame.getByRole("heading", { name: "Harbour Kitchens" })).toBeVisible();
      await expect(async () => {
        const height = (await page.frames()[1]?.evaluate(() => document.documentElement.offsetHeight)) ?? 0;
        expect((await heard()).at(-1)?.height).toBe(height + 80);
      }).toPass({ timeout: 10_000 }); // the frame tells its height again whenever it changes

      const hostile = await context.newPage();
      await hostile.goto(stranger.url);
      await expect.poll(() => hostile.frames()[1]?.url()).toContain("chrome-error:");
      expect(await heard(hostile)).toEqual([]);
    } finally {
      await program.stop();
      friend.stop();
      stranger.stop();
    }
  },
);

test(
  "a frame of another site, which has no session and no storage, tells its height, and the merchant once its window is open",
  { annotation: { type: "requirements", description: "ADMIN-35 ADMIN-36 ADMIN-37 ADMIN-38" } },
  async ({ page }, info) => {
    const friend = await shop("localhost");
    const program = await startProgram(`apart-${info.testId}`, ["serve"], {
      FORECOURT_ADDR: "127.0.0.1:0",
      EMBED_ORIGINS: friend.url,
    });
    try {
      friend.frame(`${program.url}/merchant/admin?e=420`);
      await page.goto(`${program.url}/signin`);
      await page.getByLabel("Email").fill("demo@forecourt.test");
      await page.getByLabel("Password", { exact: true }).fill("Demo-pass-1");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL((address) => address.pathname !== "/signin");

      await page.goto(friend.url);
      const heard = () => page.evaluate(() => (window as Window & { heard?: Message[] }).heard ?? []);
      await expect.poll(heard).toContainEqual({ command: "set", height: expect.any(Number), merchantId: "", key: "" });
      const frame = page.frameLocator("iframe");
      const opened = page.waitForEvent("popup");
      await frame.getByRole("link", { name: "Open in a new window" }).click();
      await expect((await opened).getByRole("heading", { name: "Harbour Kitchens" })).toBeVisible();
      await expect((await opened).getByText("You can close this window.")).toBeVisible();
      await expect
        .poll(heard)
        .toContainEqual(
          expect.objectContaining({ merchantId: expect.stringMatching(/./), key: expect.stringMatching(/^ts_/) }),
        );
      await expect(frame.getByRole("status")).toContainText("Your dashboard is open in its own window.");
    } finally {
      await program.stop();
      friend.stop();
    }
  },
);
