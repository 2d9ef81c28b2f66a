import type { Page } from "@playwright/test";
import { password, someone } from "./people";
import { expect } from "./test";

// MerchantPage is the steps to a merchant, and its dashboard.
export class MerchantPage {
  constructor(readonly page: Page) {}

  readonly email = someone();

  async signUp(query = "?r") {
    await this.page.goto(`/merchant/admin${query}`);
    await this.page.getByLabel("Email").fill(this.email);
    await this.page.getByLabel("Password", { exact: true }).fill(password);
    await this.page.getByLabel("Confirm password").fill(password);
    await this.page.getByRole("main").getByRole("button", { name: "Create Account" }).click();
    await expect(this.page.getByRole("heading", { name: "Welcome" })).toBeVisible();
  }

  async name(business: string) {
    await this.page.getByLabel("First Name").fill("Ann");
    await this.page.getByLabel("Last Name").fill("Lee");
    await this.page.getByLabel("Business Name").fill(business);
    await this.next();
  }

  async answer(text: string) {
    await this.page.getByRole("radio", { name: text }).check();
    await this.next();
  }

  async next() {
    await this.page.getByRole("button", { name: "Next" }).click();
  }

  async submit() {
    await this.page.getByRole("button", { name: "Submit" }).click();
    await expect(this.page.getByText("Integration Dashboard", { exact: true })).toBeVisible();
  }

  // curl returns the address and the body of the dashboard's curl line.
  async curl(): Promise<{ address: string; body: string }> {
    const line = (await this.page.locator("#curl").textContent()) ?? "";
    const [address = "", , body = ""] = [...line.matchAll(/'([^']*)'/g)].map((found) => found[1] ?? "");
    return { address, body };
  }
}
