import type { Page } from "@playwright/test";
import { FormPage } from "./form-page";
import { type Mailbox, startMailbox } from "./mailbox";
import { MenuPage } from "./menu-page";
import { MerchantPage } from "./merchant-page";
import { cards, PaymentPage } from "./payment-page";
import { setUpTwoStep } from "./people";
import { type Program, startProgram } from "./program";
import { test as base, expect } from "./test";

interface Installation {
  program: Program;
  mailbox: Mailbox;
}

// test has an installation as an operator starts it: without demo data, and with a gateway and a mail server.
const test = base.extend<{ installation: Installation }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from the pattern
  installation: async ({}, use, { project }) => {
    const mailbox = await startMailbox();
    const program = await startProgram(`golive-${project.name}`, ["serve"], {
      FORECOURT_ADDR: "127.0.0.1:0",
      FORECOURT_DEMO: "off",
      GATEWAY_URL: process.env.E2E_SANDBOX_URL ?? "",
      GATEWAY_KEY: process.env.E2E_SANDBOX_KEY ?? "",
      SMTP_URL: mailbox.url,
      GOOGLEPAY_SCRIPT_URL: "http://127.0.0.1:9/pay.js",
    });
    await use({ program, mailbox });
    await program.stop();
    await mailbox.stop();
  },
  baseURL: async ({ installation }, use) => {
    await use(installation.program.url);
  },
});

// password has the length that staff need, and who takes a business live.
const password = "Demo-passes-1";
const code = "anns-apples";
const desk = `/desk/${code}`;

async function choosePassword(page: Page): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
}

// decide opens the first case in a queue and decides it.
async function decide(staff: Page, queue: string, decision: string): Promise<void> {
  await staff.goto(queue);
  await staff.locator(".rows a").first().click();
  await staff.getByRole("radio", { name: decision }).check();
  await staff.getByRole("button", { name: "Record decision" }).click();
  await expect(staff.getByRole("main").getByText("Waiting", { exact: true })).toHaveCount(
    queue === "/staff/compliance" ? 1 : 0,
  );
}

test("a business goes from sign-up to a paid live order, without a shell", { tag: "@nojs-long" }, async ({
  browser,
  baseURL,
  installation: { program, mailbox },
  page: owner,
  javaScriptEnabled,
}) => {
  test.slow();
  const another = async () => (await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled })).newPage();
  const [staff, guest, later] = [await another(), await another(), await another()];

  // The first start prints a link for the first staff account.
  await staff.goto(program.said.find((line) => line.includes("/first/"))?.trim() ?? "");
  await staff.getByLabel("Email").fill("staff@example.com");
  await choosePassword(staff);
  await staff.getByRole("button", { name: "Create the account" }).click();
  await expect(staff.getByRole("heading", { name: "Two-step sign-in" })).toBeVisible();
  await setUpTwoStep(staff, password);
  await expect(staff.getByRole("heading", { name: "Waiting", exact: true })).toBeVisible();

  // A person signs up and confirms the address.
  const email = "ann@example.com";
  await owner.goto("/signup");
  await owner.getByLabel("Email").fill(email);
  await choosePassword(owner);
  await owner.getByRole("main").getByRole("button", { name: "Create Account" }).click();
  await expect(owner.locator('form[action="/signout"]')).toBeAttached();
  await owner.goto(await mailbox.link(email, "", "/verify/"));
  await owner.getByRole("button", { name: "Confirm and go on" }).click();

  // They make the business, its menu and its table.
  await owner.goto("/merchant/admin?step=welcome");
  const merchant = new MerchantPage(owner);
  await merchant.name("Ann's Apples");
  await merchant.answer("A payment solution");
  await owner.getByRole("radio").first().check();
  await merchant.next();
  await owner.getByRole("checkbox").first().check();
  await merchant.submit();
  await owner.goto("/desk/new");
  await owner.getByRole("button", { name: "Create business" }).click();
  await expect(owner).toHaveURL(new RegExp(`${desk}$`));
  await owner.getByRole("link", { name: "Make your menu" }).click();
  await owner.getByLabel("First category").fill("Fruit");
  await owner.getByRole("button", { name: "Add category" }).click();
  await owner.getByRole("link", { name: "Add an item to Fruit" }).click();
  await owner.getByLabel("Name", { exact: true }).fill("Apple Pie");
  await owner.getByLabel("Price in AUD").fill("6.50");
  await owner.getByRole("button", { name: "Add item", exact: true }).click();
  await owner.getByRole("link", { name: "Publish" }).click();
  await owner.getByRole("button", { name: "Publish" }).click();
  await expect(owner.getByText("Everything is published")).toBeVisible();
  await owner.goto(`${desk}/tables`);
  await owner.getByLabel("Tables, row 1").fill("1-3");
  await owner.getByRole("button", { name: "Save tables" }).click();

  // A guest pays a test order and leaves another one unpaid.
  const orderPie = async (by: Page): Promise<PaymentPage> => {
    const menu = new MenuPage(by, javaScriptEnabled);
    await expect(async () => {
      await menu.open("?t=1", code);
      await expect(menu.row("Apple Pie")).toBeVisible({ timeout: 200 });
    }).toPass();
    await menu.add("Apple Pie");
    await menu.openOrder();
    await menu.pay();
    const payment = new PaymentPage(by);
    await payment.expectState("form");
    return payment;
  };
  const test1 = await orderPie(guest);
  await test1.payWith(cards.approved);
  await test1.expectPaid();
  const unpaid = await orderPie(guest);
  await expect(guest.getByText("TEST MODE", { exact: true })).toBeVisible();

  // The owner applies, and staff approve.
  await owner.goto("/form/application");
  const form = new FormPage(owner);
  await form.letsGo();
  await form.fillIn("Ann's Apples");
  await form.submit();
  await decide(staff, "/staff/forms", "Approve");

  // A letter leads to the agreement and the identity check.
  await owner.goto(await mailbox.link(email, "Two things to do", "/compliance/"));
  await expect(owner.getByText("For Ann's Apples")).toBeVisible();
  await owner.getByLabel("Account name").fill("Ann's Apples");
  await owner.getByLabel("BSB").fill("062-000");
  await owner.getByLabel("Account number").fill("12345678");
  await owner.getByLabel(/I have read and acknowledge/).check();
  await owner.getByRole("button", { name: "Next", exact: true }).click();
  await owner.getByLabel("Street").fill("7 King Street");
  await owner.getByLabel("Suburb").fill("Newtown");
  await owner.getByLabel("State", { exact: true }).selectOption("NSW");
  await owner.getByLabel("Postcode").fill("2042");
  await owner.getByLabel("Date of birth").fill("1981-02-03");
  await owner.getByLabel("Licence number").fill("CNRY 7731");
  await owner.getByLabel("Issued in").selectOption("NSW");
  await owner.getByLabel("Expiry date").fill("2044-12-31");
  const photo = { name: "photo.png", mimeType: "image/png", buffer: await owner.screenshot() };
  await owner.locator("#dlfront").setInputFiles(photo);
  await owner.locator("#dlback").setInputFiles(photo);
  await owner.getByRole("button", { name: "Save" }).click();
  await expect(owner.getByText("That is all we need.")).toBeVisible();
  await decide(staff, "/staff/compliance", "Accept");

  // The owner is paid into the same account, which staff pass on.
  await owner.goto(desk);
  await owner.locator("#checklist").getByRole("link", { name: "Say which account" }).click();
  await owner.getByRole("button", { name: "Pay me into that account" }).click();
  await expect(owner.getByText(/not passed on yet/)).toBeVisible();
  await decide(staff, "/staff/bank-accounts", "The acquirer has it");

  // Staff connect the account at the gateway.
  await staff.goto(`/staff/accounts/${code}`);
  await staff
    .getByRole("region", { name: "Live payments" })
    .getByRole("button", { name: "Generate an account" })
    .click();
  await expect(staff.getByRole("heading", { name: "New account, accepted by the gateway" })).toBeVisible();

  // The owner of a live business also needs a code to sign in.
  await owner.goto(desk);
  await owner.locator("#checklist").getByRole("link", { name: "Set it up" }).click();
  await setUpTwoStep(owner, password);
  await expect(owner).toHaveURL(new RegExp(`${desk}/live$`));

  // The owner asks to go live, staff approve, and the owner switches.
  await owner.goto(desk);
  await owner.locator("#checklist").getByRole("link", { name: "Go live" }).click();
  await owner.getByRole("button", { name: "Request to go live" }).click();
  await expect(owner.getByRole("heading", { name: "We have your request" })).toBeVisible();
  await decide(staff, "/staff/live", "Approve");
  await owner.goto(await mailbox.link(email, "may go live", "/desk/"));
  await owner.getByRole("button", { name: "Take real payments" }).click();
  await expect(owner.getByRole("heading", { name: "You take real payments" })).toBeVisible();
  await expect(owner.getByText("TEST MODE", { exact: true })).toHaveCount(0);
  await mailbox.link(email, "You can take payments", "/desk/");

  // The test order has ended, which its page shows by itself if it can. The next one is paid with real money.
  if (!javaScriptEnabled) await unpaid.payWith(cards.approved);
  await expect(guest.getByText(/switched between test and live payments since. Nothing was charged/)).toBeVisible({
    timeout: 30_000,
  });
  const live = await orderPie(later);
  await expect(later.getByText("TEST MODE", { exact: true })).toHaveCount(0);
  await live.payWith(cards.approved);
  await live.expectPaid();
  await Promise.all([staff, guest, later].map((one) => one.context().close()));
});
