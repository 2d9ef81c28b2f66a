import { expect, type Locator, type Page, type Request } from "@playwright/test";
import { begin } from "./test";

// TerminalPage is the demo of a payment at a terminal.
export class TerminalPage {
  readonly amount: Locator;
  readonly process: Locator;
  readonly cancel: Locator;
  readonly next: Locator;
  readonly status: Locator;
  readonly log: Locator;
  // calls lists the paths of all calls to the terminal service so far, and sent their requests.
  readonly calls: string[] = [];
  readonly sent: Request[] = [];

  constructor(
    readonly page: Page,
    readonly service: string,
  ) {
    this.amount = page.getByLabel("Amount in AUD");
    this.process = page.getByRole("button", { name: "Process Payment" });
    this.cancel = page.getByRole("button", { name: "Cancel" });
    this.next = page.getByRole("button", { name: "Next" });
    this.status = page.getByRole("status");
    this.log = page.getByRole("region", { name: "Calls" });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.origin === process.env.E2E_BRIDGE_URL) {
        this.calls.push(url.pathname + url.search);
        this.sent.push(request);
      }
    });
  }

  async open(): Promise<void> {
    await this.page.goto("/demo/bridge");
  }

  async ready(): Promise<void> {
    await begin(this.page);
    await expect(this.page.locator("fc-bridge > .island")).toBeAttached();
  }

  async pay(amount: string): Promise<void> {
    await this.amount.fill(amount);
    await this.process.click();
  }

  // hold keeps the page at a state that the terminal itself leaves after a second or two, until the returned function is called.
  async hold(at: "connecting" | "processing"): Promise<() => Promise<void>> {
    const address = `${process.env.E2E_BRIDGE_URL}/status/`;
    const ended = ["approved", "declined", "timeout"];
    const later = at === "connecting" ? ["processing", ...ended] : ended;
    await this.page.route(address, async (route) => {
      const response = await route.fetch({ url: `${this.service}/status/` });
      const json = await response.json();
      await route.fulfill({ response, json: { ...json, status: later.includes(json.status) ? at : json.status } });
    });
    return () => this.page.unroute(address);
  }

  // expectEntry checks that a payment can be started and that the page offers nothing else.
  async expectEntry(): Promise<void> {
    await expect(this.amount).toBeVisible();
    await expect(this.cancel).toBeHidden();
    await expect(this.next).toBeHidden();
  }
}
