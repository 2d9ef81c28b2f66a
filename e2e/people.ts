import { createHmac, randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";

// password is the password of all the demo's people, and of those whom the tests sign up.
export const password = "Demo-pass-1";

// someone returns a new email address.
export function someone(): string {
  return `e2e-${randomUUID()}@example.com`;
}

// signUp makes an account in a page's browser without its form, and returns its email.
export async function signUp(page: Page, email = someone()): Promise<string> {
  await enter(page, "/signup", { email, password, confirm: password });
  return email;
}

// signIn signs a page's browser in without its form.
export async function signIn(page: Page, email: string): Promise<void> {
  await enter(page, "/signin", { email, password });
}

async function enter(page: Page, path: string, form: Record<string, string>): Promise<void> {
  const answer = await page.request.post(path, { form, maxRedirects: 0 });
  expect(answer.status(), `${path} of ${form.email}`).toBe(303);
}

// code returns what an app shows for a base32 key (RFC 6238), after steps of 30 seconds from now.
export function code(key: string, after = 0): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...key.replaceAll(" ", "")].map((c) => letters.indexOf(c).toString(2).padStart(5, "0")).join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + after));
  const mac = createHmac("sha1", bytes).update(step).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

// setUpTwoStep sets up two-step sign-in on the page that a person was led to, and goes on from there. It returns the app's key.
export async function setUpTwoStep(page: Page, by = password): Promise<string> {
  await page.getByLabel("Password", { exact: true }).fill(by);
  await page.getByRole("button", { name: "Begin" }).click();
  const key = (await page.locator(".key-text").textContent()) ?? "";
  await page.getByLabel("Code from your app").fill(code(key));
  await page.getByRole("button", { name: "Turn on two-step sign-in" }).click();
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  await page.getByRole("link", { name: "I have kept them" }).click();
  return key;
}
