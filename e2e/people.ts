import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";

// The demo's people all have this password, and so do those whom the tests sign up.
export const password = "Demo-pass-1";

// someone is an address that nobody has yet.
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
