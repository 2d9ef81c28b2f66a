import type { Page } from "@playwright/test";
import { FormPage } from "./form-page";
import { expectAccessible, expectValid } from "./inspect";
import { signIn, signUp } from "./people";
import { expect, test } from "./test";
import { fetchPacked, scriptsOf, stylesOf, total, withImports } from "./wire";

const KB = 1024;

test("an application from sign-up to its reference, continued on another device", {
  annotation: { type: "requirements", description: "FORM-51" },
  tag: "@nojs",
}, async ({ browser, page, javaScriptEnabled }) => {
  const form = new FormPage(page);
  const email = await form.signUp();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Merchant application");
  await expect(page.getByText("Welcome Back! Are you ready to continue where we left off previously?")).toBeVisible();
  await form.letsGo();
  await form.expectStep(0);
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await form.fillContact();
  await page.getByRole("button", { name: "Add another contact" }).click();
  await page.getByLabel("First name").nth(1).fill("Bob");
  await form.proceed(1);

  const device = await browser.newContext({ javaScriptEnabled, baseURL: process.env.E2E_URL ?? "" });
  const other = new FormPage(await device.newPage());
  await other.signIn(email, "/form/application");
  await other.letsGo();
  await other.expectStep(1);
  await other.page.getByRole("link", { name: "Back" }).click();
  await other.fillIn();
  for (const answer of ["Ann Merchant", email, "Bob", "Corner Café", "Australia", "Pty Ltd", "Director"]) {
    await expect(other.page.getByRole("main")).toContainText(answer);
  }
  const reference = await other.submit();
  expect(reference).toMatch(/^A-[2-9A-Z]{4}-[2-9A-Z]{2}$/);
  await device.close();

  await page.goto("/form/application/1");
  await form.expectStep(4);
  await expect(form.reference).toHaveText(reference);
});

test("the button says whether a step is complete, as the server does", {
  annotation: { type: "requirements", description: "FORM-13 FORM-14" },
}, async ({ page }) => {
  const form = new FormPage(page);
  await form.begin();
  const says = (text: string) => expect(form.next).toHaveText(text);
  await says("Please fill required fields");
  await form.fillContact("A", "B");
  await says("Next");
  for (const [email, words] of [
    ["a@b", "Please fill required fields"],
    ["a@b.co", "Next"],
    ["", "Please fill required fields"],
    ["b@b.co", "Next"],
  ] as const) {
    await page.getByLabel("Email").fill(email);
    await says(words);
  }
  await form.proceed(1);
  await says("Please fill required fields");
  await page.getByLabel("Trading name").fill("Pub");
  await page.getByLabel("Entity type").selectOption("Partnership");
  await says("Next");
  await form.proceed(2);
  await says("Please fill required fields");
  await page.getByLabel("In person payments").check();
  await says("Next");
  await form.proceed(3);
  await expect(page.getByText("list all partners")).toBeVisible();
  await page.getByLabel("Full name").first().fill("Ann");
  await says("Please fill required fields");
  await page.getByLabel("Full name").nth(1).fill("Bob");
  await says("Next");
});

test("problems are listed and the list gets the focus; a new step starts at its top", {
  annotation: { type: "requirements", description: "FORM-15 FORM-16" },
}, async ({ page }) => {
  const form = new FormPage(page);
  await form.begin();
  await form.next.click();
  await expect(form.problems).toBeFocused();
  await form.expectStep(0);
  await form.problems.getByRole("link", { name: "Enter a last name" }).click();
  await expect(page.getByLabel("Last name")).toBeFocused();

  await form.fillContact();
  await page.getByRole("button", { name: "Add another contact" }).click();
  await expect(page.getByLabel("First name").nth(1)).toBeFocused();
  await expect(page.getByLabel("First name").first()).toHaveValue("Ann");
  await page.getByRole("button", { name: "Remove contact 2" }).click();
  await expect(page.getByText("Contact 2", { exact: true })).toHaveCount(0);

  await page.getByLabel("Email").press("Enter"); // goes on, and neither adds nor removes a row
  await form.expectStep(1);
  await page.getByLabel("Trading name").fill("Pub");
  await page.evaluate(() => scrollTo(0, 400));
  await form.proceed(2);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect(page).toHaveTitle(/^Payment types · Merchant application/);

  await page.goBack();
  await form.expectStep(1);
  await expect(page.getByLabel("Trading name")).toHaveValue("Pub");
  await expect(page.getByRole("contentinfo")).toBeVisible();
});

test("a step that cannot be saved says so and keeps what was typed", async ({ page }) => {
  const form = new FormPage(page);
  await form.begin();
  await form.fillContact();
  await page.route("**/form/application/0", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 503, body: "away" }) : route.continue(),
  );
  await form.next.click();
  await expect(page.getByRole("alert")).toContainText("What you typed is still here");
  await expect(page.getByLabel("First name")).toHaveValue("Ann");
  await page.unroute("**/form/application/0");
  await form.proceed(1);
});

test("saving a step after signing out asks to sign in, then leads back", async ({ context, page }) => {
  const form = new FormPage(page);
  const email = await form.begin();
  await form.fillContact();
  await context.clearCookies();
  await form.next.click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor(); // the step also has an Email field
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("Demo-pass-1");
  await page.getByRole("button", { name: "Sign in" }).click();
  await form.letsGo();
  await form.expectStep(0);
});

test("wrong steps lead to the first open step, or say that there is none", {
  annotation: { type: "requirements", description: "FORM-19 FORM-20" },
  tag: "@nojs-only",
}, async ({ page }) => {
  const form = new FormPage(page);
  await form.begin();
  await page.goto("/form/application/3");
  await form.expectStep(0);
  await page.goto("/form/application/99");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Oops, you should never see this message, so clearly there's an issue!",
  );
});

test("staff ask for more, the applicant answers, staff approve", { tag: "@nojs-only" }, async ({ browser, page }) => {
  const form = new FormPage(page);
  await form.begin();
  await form.fillIn(`Shop ${Date.now()}`);
  const reference = await form.submit();
  const office = await browser.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const desk = await office.newPage();
  await signIn(desk, "staff@forecourt.test");
  await desk.goto("/staff/forms");
  const decide = async (decision: string, reason: string) => {
    await desk.goto(`/staff/forms/${reference}`);
    await desk.getByRole("radio", { name: decision }).check();
    await desk.getByRole("textbox", { name: "Reason" }).fill(reason);
    await desk.getByRole("button", { name: "Record decision" }).click();
    await expect(desk.getByRole("button", { name: "Record decision" })).toHaveCount(0);
  };
  await desk
    .getByRole("row", { name: new RegExp(reference) })
    .getByRole("link")
    .click();
  await decide("Ask for more", "Who is the other director?");
  await page.goto("/form/application");
  await expect(page.getByText("Who is the other director?")).toBeVisible();
  await page.goto("/form/application/check");
  await page.getByRole("button", { name: "Send again" }).click();
  await decide("Approve", "All in order");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are approved");
  await office.close();
});

test("a step: HTML and CSS come in the first 14 KB, scripts in 16 KB, without React", async ({ page }) => {
  const form = new FormPage(page);
  await form.begin();
  await form.fillContact();
  await form.proceed(1); // the longest step, with all countries
  const html = await page.request.get(page.url(), { headers: { "accept-encoding": "gzip" } });
  const url = new URL(page.url());
  const text = await html.text();
  const styles = stylesOf(text, url);
  expect(Number(html.headers()["content-length"]) + (await total(styles))).toBeLessThanOrEqual(14 * KB);
  const scripts = await withImports(scriptsOf(text, url));
  expect(scripts.length).toBeGreaterThan(0);
  expect(await total(scripts, "body")).toBeLessThanOrEqual(16 * KB);
  for (const script of scripts) {
    expect((await fetchPacked(script)).text).not.toContain("react.dev");
  }
});

// inspect checks what has to hold for every page.
async function inspect(page: Page, name: string): Promise<void> {
  await expectValid(await (await page.request.get(page.url())).text(), name);
  await expectAccessible(page, name);
}

test("every page of forms: valid HTML, axe finds nothing, nothing overflows", async ({ browser, page }) => {
  test.slow();
  const form = new FormPage(page);
  await signUp(page);
  await page.goto("/form/application");
  await inspect(page, "welcome");
  await form.letsGo();
  await form.fillContact();
  await page.getByRole("button", { name: "Add another contact" }).click();
  await expect(page.getByLabel("First name")).toHaveCount(2);
  await inspect(page, "contacts");
  await form.proceed(1);
  await inspect(page, "business");
  await form.next.click();
  await expect(form.problems).toBeFocused();
  await inspect(page, "business with a problem");
  await page.getByLabel("Trading name").fill("Corner Café");
  await form.proceed(2);
  await inspect(page, "payment types");
  await page.getByLabel("In person payments").check();
  await form.proceed(3);
  await inspect(page, "stakeholders");
  await page.getByLabel("Full name").fill("Ann Merchant");
  await page.getByLabel("Director").check();
  await form.proceed("check");
  await inspect(page, "check");
  const reference = await form.submit();
  await inspect(page, "done");
  const office = await browser.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const desk = await office.newPage();
  await signIn(desk, "staff@forecourt.test");
  await desk.goto("/staff/forms");
  await inspect(desk, "queue");
  await desk.goto(`/staff/forms/${reference}`);
  await inspect(desk, "review");
  await office.close();
});
