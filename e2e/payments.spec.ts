import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { signIn } from "./people";
import { type Program, startProgram } from "./program";
import { expect, test } from "./test";

// gateway approves another amount than was requested, and after that gives only unusable answers.
const gateway = createServer((request, response) => {
  if (request.url === "/api/pay") {
    response.end(
      '{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-1","amount":"99.00","currency":"AUD"}',
    );
  } else {
    response.writeHead(500).end();
  }
});
let program: Program;

test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from the pattern
  baseURL: async ({}, use) => {
    await new Promise<void>((listening) => gateway.listen(0, "127.0.0.1", listening));
    program = await startProgram("payments", ["serve"], {
      FORECOURT_ADDR: "127.0.0.1:0",
      GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      GATEWAY_KEY: "e2e",
    });
    await use(program.url);
    await program.stop();
    gateway.close();
  },
});

test("staff decide against the gateway once they have seen what it says @nojs-long", async ({ page, request }) => {
  const made = await request.post("/api/pos", {
    data: { merchantId: "panezski", order: [{ name: "Butter Croissant", qty: 1 }] },
  });
  const { trxId } = await made.json();
  await request.post("/api/pay", {
    data: { merchantId: "panezski", trxId, cardholder: "Pat", pan: "4111111111111111", exp: "12/34", cvc: "123" },
  });

  await signIn(page, "staff@forecourt.test");
  await page.goto("/staff/payments");
  await page.getByRole("link", { name: "Panezski" }).first().click();
  await expect(page.getByText("nothing that can be understood, or it cannot be asked")).toBeVisible();
  await page.getByRole("radio", { name: "Not charged" }).check();
  await page.getByLabel("Reason").fill("The bank knows of no charge.");
  await page.getByRole("button", { name: "Record decision" }).click();
  await expect(page.locator("header .pill")).toHaveText("Not charged");
  await expect(page.getByText("decided against the gateway")).toBeVisible();

  await page.goto(`/pos/panezski/${trxId}`);
  await expect(page.getByRole("heading", { name: "This payment could not be confirmed" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Try Again" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Order Again" })).toBeVisible();
});
