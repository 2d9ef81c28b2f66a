import { expect, type Locator, type Page } from "@playwright/test";

export const cards = {
  approved: "4111 1111 1111 1111",
  declined: "4000 0000 0000 0002",
  insufficient: "4000 0000 0000 9995",
  challenge: "4000 0000 0000 3220",
  failsUncharged: "4000 0000 0000 0119",
  failsCharged: "4000 0000 0000 0127",
  silentCharged: "4000 0000 0000 0259",
};

type State = "form" | "waiting" | "success" | "failure" | "status" | "completed" | "refunded" | "expired" | "text";

// PaymentPage is the payment page of a transaction in any of its states.
export class PaymentPage {
  readonly name: Locator;
  readonly email: Locator;
  readonly number: Locator;
  readonly expiry: Locator;
  readonly cvc: Locator;
  readonly payButton: Locator;
  readonly tryAgain: Locator;

  constructor(readonly page: Page) {
    this.name = page.getByLabel("Name on Card");
    this.email = page.getByLabel("Customer Email");
    this.number = page.getByLabel("Card Number");
    this.expiry = page.getByLabel("Expiry");
    this.cvc = page.getByLabel("CVC");
    this.payButton = page.getByRole("button", { name: /^Pay / });
    this.tryAgain = page.getByRole("button", { name: "Try Again?" });
  }

  // order orders one piece of each item over the API, opens the page of its payment and returns the transaction's id.
  async order(items = ["Flat White"], shop = "panezski", table = "4"): Promise<string> {
    const order = items.map((name) => ({ name, qty: 1 }));
    const made = await this.page.request.post("/api/pos", {
      data: { merchantId: shop, order, table, description: "Food Order", source: "diy-pos" },
    });
    expect(made.status(), "the order is made").toBe(201);
    const { trxId } = (await made.json()) as { trxId: string };
    await this.page.goto(`/pos/${shop}/${trxId}`);
    return trxId;
  }

  // fill types a card as a person does, and fills in the rest of the form for the card's owner.
  async fill(card: string, { expiry = "12/34", cvc = "123", email = "ada@example.com" } = {}): Promise<void> {
    await this.name.fill("Ada Lovelace");
    await this.number.fill(card);
    await this.expiry.fill(expiry);
    await this.cvc.fill(cvc);
    await this.email.fill(email);
  }

  async payWith(card: string): Promise<void> {
    await this.fill(card);
    await this.payButton.click();
  }

  async expectState(...states: State[]): Promise<void> {
    await expect(this.page.locator("#payment")).toHaveAttribute("data-state", new RegExp(`^(${states.join("|")})$`), {
      timeout: 30_000,
    });
  }

  // expectPaid checks that an order is paid, whatever has happened to it since.
  async expectPaid(): Promise<void> {
    await this.expectState("success", "status");
  }

  // expectMasked checks that the CVC cannot be read from the screen.
  async expectMasked(): Promise<void> {
    const masked = await this.cvc.evaluate(
      (node: HTMLInputElement) => getComputedStyle(node).getPropertyValue("-webkit-text-security") === "disc",
    );
    expect(masked, "the CVC is masked").toBe(true);
  }

  // mounted waits until the card form's scripts are running.
  async mounted(): Promise<void> {
    await expect(this.page.locator("fc-card-form[hx-morph-skip]")).toBeAttached();
  }

  // reachBank gets to the bank's page, by itself or through the waiting page.
  async reachBank(): Promise<void> {
    const approve = this.page.getByRole("button", { name: "Approve" });
    const onward = this.page.getByRole("link", { name: "Continue to your bank" });
    await expect(approve.or(onward).first()).toBeVisible();
    if (await onward.isVisible()) {
      await onward.click();
    }
    await expect(approve).toBeVisible();
  }
}
