import type { Locator, Page } from "@playwright/test";

// KitchenPage is the screen of the people who make the orders.
export class KitchenPage {
  constructor(readonly page: Page) {}

  // open signs in as the demo's admin and shows the kitchen.
  async open(shop = "panezski"): Promise<void> {
    await this.page.goto(`/pos/${shop}/kitchen`);
    await this.page.getByLabel("Email").fill("demo@forecourt.test");
    await this.page.getByLabel("Password", { exact: true }).fill("Demo-pass-1");
    await this.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await this.page.getByRole("heading", { name: "Menu today" }).waitFor();
  }

  // ticket returns what a place has to make for a table.
  ticket(place: string, table: string): Locator {
    return this.page
      .getByRole("region", { name: place })
      .locator(".ticket")
      .filter({
        has: this.page.getByRole("heading", { name: new RegExp(`^(No\\. \\d+ · )?Table ${table}(?![\\w-])`) }),
      });
  }

  async done(place: string, table: string): Promise<void> {
    await this.ticket(place, table)
      .getByRole("button", { name: `Done ${place}` })
      .click();
  }
}
