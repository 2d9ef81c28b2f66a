import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { signIn } from "./people";
import { type Program, startProgram } from "./program";
import { expect, test } from "./test";

const key = "e2e";
let sandbox: Program;
let program: Program;

test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from the pattern
  baseURL: async ({}, use) => {
    sandbox = await startProgram("payouts-gateway", ["sandbox", "--addr", "127.0.0.1:0"], { GATEWAY_KEY: key });
    program = await startProgram("payouts", ["serve"], {
      FORECOURT_ADDR: "127.0.0.1:0",
      GATEWAY_URL: sandbox.url,
      GATEWAY_KEY: key,
    });
    await use(program.url);
    await program.stop();
    await sandbox.stop();
  },
});

test("a business finds its payout and its dispute, and sees that staff looked @nojs-long", async ({
  baseURL,
  browser,
  javaScriptEnabled,
  page,
  request,
}) => {
  const pay = async (pan: string) => {
    const made = await request.post("/api/pos", {
      data: { merchantId: "panezski", order: [{ name: "Butter Croissant", qty: 2 }] },
    });
    const { trxId } = await made.json();
    await request.post("/api/pay", {
      data: { merchantId: "panezski", trxId, cardholder: "Pat", pan, exp: "12/34", cvc: "123" },
    });
    return trxId as string;
  };
  const paid = await pay("4111111111111111");
  await pay("4000000000002685");
  const out = await request.post(`${sandbox.url}/sandbox/payout`, { headers: { Authorization: `Bearer ${key}` } });
  expect(out.ok()).toBe(true);
  await promisify(execFile)("bin/forecourt", ["reconcile"], {
    env: {
      PATH: process.env.PATH ?? "",
      FORECOURT_DATA: program.data,
      FORECOURT_URL: program.url,
      GATEWAY_URL: sandbox.url,
      GATEWAY_KEY: key,
    },
  });

  await signIn(page, "demo@forecourt.test");
  await page.goto("/desk/panezski");
  await page.getByRole("link", { name: "See what to do" }).click();
  await page.getByRole("row", { name: "$11.00" }).getByRole("link").click();
  await expect(page.getByRole("heading", { name: "What to do now" })).toBeVisible();
  await expect(page.getByText(/^Answer by .*AE[DS]T\.$/)).toBeVisible();

  await page.getByRole("link", { name: "Payouts" }).click();
  await page.getByRole("table", { name: "Payouts" }).getByRole("link").click();
  await expect(page.getByRole("row", { name: "Payments (2)" })).toContainText("$22.00");
  await page.locator(`a[href$="/payments/${paid}"]`).click();
  await page.getByRole("link", { name: /^Payout of / }).click();
  await expect(page.getByRole("row", { name: "Paid to your account" })).toBeVisible();

  const staff = await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled: javaScriptEnabled ?? true });
  const other = await staff.newPage();
  await signIn(other, "staff@forecourt.test");
  await other.goto("/staff/accounts/panezski");
  await other.getByRole("link", { name: "Look at its pages" }).click();
  await expect(other.getByText("You are looking at this business as Forecourt staff.")).toBeVisible();
  await other.goto("/desk/panezski/team");
  await expect(other.getByRole("heading", { name: "Team" })).toBeVisible();
  await expect(other.getByRole("button", { name: "Send invitation" })).toBeHidden();
  const refused = await other.request.post("/desk/panezski/tables", {
    form: { tables: "1-3" },
    headers: { Origin: baseURL ?? "" },
  });
  expect(refused.status()).toBe(403);
  await staff.close();

  await page.goto("/desk/panezski/team");
  await page.getByRole("link", { name: "See when they did" }).click();
  await expect(page.getByRole("main").locator("tbody tr")).toHaveCount(2);
});
