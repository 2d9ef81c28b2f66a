import { expect, type Locator, type Page } from "@playwright/test";

// MenuPage is the order menu and the order view that opens from it: a sheet or column with JavaScript, a page without.
export class MenuPage {
  readonly viewOrder: Locator;
  readonly bar: Locator;
  readonly proceed: Locator;
  readonly addMore: Locator;
  readonly nameField: Locator;

  constructor(
    readonly page: Page,
    readonly scripted: boolean,
  ) {
    this.bar = page.locator(".bar");
    this.viewOrder = page.getByRole("button", { name: "View Order" });
    this.proceed = page.getByRole("button", { name: /^(Test Payment|Proceed to Payment)$/ });
    this.addMore = page
      .getByRole("link", { name: "Add more items" })
      .or(page.getByRole("button", { name: "Add more items" }));
    this.nameField = page.getByLabel("Please provide a name for the order");
  }

  async open(query = "?t=4", shop = "panezski"): Promise<void> {
    await this.page.goto(`/pos/${shop}${query}`);
  }

  row(item: string): Locator {
    return this.page.locator("li.item").filter({ has: this.page.getByRole("heading", { name: item, exact: true }) });
  }

  async add(item: string): Promise<void> {
    await this.row(item)
      .getByRole("button", { name: `Add ${item}`, exact: true })
      .click();
  }

  async remove(item: string): Promise<void> {
    await this.row(item)
      .getByRole("button", { name: `Remove ${item}`, exact: true })
      .click();
  }

  async expectQuantity(item: string, quantity: number): Promise<void> {
    await expect(this.row(item).locator("output")).toHaveText(String(quantity));
  }

  // order is the part of the page with the order view.
  get order(): Locator {
    return this.scripted ? this.page.getByRole("dialog") : this.page.getByRole("main");
  }

  async openOrder(): Promise<void> {
    // Before React has arrived, which waits until the page is idle, View Order leads to the server's page instead.
    if (this.scripted) await expect(this.page.locator("fc-order-basket > .island")).toBeAttached();
    await this.viewOrder.click();
    await expect(this.proceed).toBeVisible();
  }

  // pay sends the order and returns the transaction's id from the address of its payment page.
  async pay(): Promise<string> {
    // At its edge: a second press where View Order was just pressed is ignored.
    await this.proceed.click({ position: { x: 16, y: 16 } });
    await this.page.waitForURL(/\/pos\/[a-z-]+\/[A-Za-z0-9_-]{22,36}$/);
    return new URL(this.page.url()).pathname.split("/")[3] ?? "";
  }

  // orderOne buys one piece for table 4 and returns the transaction's id.
  async orderOne(item = "Flat White"): Promise<string> {
    await this.open();
    await this.add(item);
    await this.expectQuantity(item, 1);
    await this.openOrder();
    return this.pay();
  }
}
