import { expect, type Locator, type Page } from "@playwright/test";
import * as people from "./people";

// FormPage is a merchant form, from the sign-in screen to the reference.
export class FormPage {
  readonly next: Locator;
  readonly problems: Locator;
  readonly reference: Locator;

  constructor(readonly page: Page) {
    this.next = page.getByRole("button", { name: /^(Next|Please fill required fields)$/ });
    this.problems = page.getByRole("alert").filter({ hasText: "There is a problem" });
    this.reference = page.locator(".reference strong");
  }

  // signUp makes an account on the way to a form and returns its email.
  async signUp(form = "application"): Promise<string> {
    const email = people.someone();
    await this.page.goto(`/form/${form}`);
    await this.page.getByRole("link", { name: "Create one here" }).click();
    // Until the other screen is there, the fields are those of the sign-in.
    await this.page.getByRole("heading", { name: "Create an account" }).waitFor();
    await this.page.getByLabel("Email").fill(email);
    await this.page.getByLabel("Password", { exact: true }).fill(people.password);
    await this.page.getByLabel("Confirm password").fill(people.password);
    await this.page.getByRole("button", { name: "Create Account" }).click();
    return email;
  }

  async signIn(email: string, to: string): Promise<void> {
    await this.page.goto(to);
    await this.page.getByLabel("Email").fill(email);
    await this.page.getByLabel("Password", { exact: true }).fill(people.password);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    // Signing in leads back to the page by loading it.
    await expect(this.page.locator('form[action="/signout"]')).toBeAttached();
  }

  // begin makes an account without the sign-up form and goes to the first step.
  async begin(form = "application"): Promise<string> {
    const email = await people.signUp(this.page);
    await this.page.goto(`/form/${form}`);
    await this.letsGo();
    return email;
  }

  async letsGo(): Promise<void> {
    await this.page.getByRole("button", { name: "Let's go!" }).click();
  }

  async expectStep(step: number | "check", form = "application"): Promise<void> {
    await expect(this.page).toHaveURL(new RegExp(`/form/${form}/${step}(\\?.*)?$`));
  }

  async fillContact(first = "Ann", last = "Merchant"): Promise<void> {
    await this.page.getByLabel("First name").first().fill(first);
    await this.page.getByLabel("Last name").first().fill(last);
  }

  async proceed(to: number | "check", form?: string): Promise<void> {
    await this.next.click();
    await this.expectStep(to, form);
  }

  // fillIn answers the whole application and ends at the check.
  async fillIn(name = "Corner Café"): Promise<void> {
    await this.expectStep(0);
    await this.fillContact();
    await this.proceed(1);
    await this.page.getByLabel("Trading name").fill(name);
    await this.proceed(2);
    await this.page.getByLabel("In person payments").check();
    await this.proceed(3);
    await this.page.getByLabel("Full name").fill("Ann Merchant");
    await this.page.getByLabel("Director").check();
    await this.proceed("check");
  }

  async submit(): Promise<string> {
    await this.page.getByRole("button", { name: "Send", exact: true }).click();
    await this.expectStep(4);
    return (await this.reference.textContent()) ?? "";
  }
}
