import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Locator, type Page } from "@playwright/test";

const run = promisify(execFile);

interface Invite {
  docId: string;
  email: string;
  secretKey: string;
}

// invite has the serving program invite a new person.
export async function invite(): Promise<Invite> {
  const { stdout } = await run(
    "bin/forecourt",
    ["invite", "create", "--client", "panezski", "--email", "ann@example.com", "--json"],
    { env: { PATH: process.env.PATH ?? "", FORECOURT_DATA: process.env.E2E_DATA ?? "" } },
  );
  return JSON.parse(stdout) as Invite;
}

// TokenPage is the page on which an invited user gets a bearer token.
export class TokenPage {
  readonly email: Locator;
  readonly secretKey: Locator;
  readonly password: Locator;
  readonly generate: Locator;

  constructor(readonly page: Page) {
    this.email = page.getByLabel("Email ID");
    this.secretKey = page.getByLabel("Secret Key");
    this.password = page.getByLabel("Password");
    this.generate = page.getByRole("button", { name: "Generate Token" });
  }

  async open(docId: string): Promise<void> {
    await this.page.goto(`/onboarding/tokengen/${docId}`);
  }

  async fill({ email, secretKey }: Pick<Invite, "email" | "secretKey">): Promise<void> {
    await this.email.fill(email);
    await this.secretKey.fill(secretKey);
    await this.password.fill("Blue-kettle-7");
  }

  // token returns the token that the page shows once it is generated.
  async token(): Promise<string> {
    await expect(this.page.getByRole("heading", { name: "Bearer Token generated" })).toBeVisible();
    return (await this.page.locator("#token").textContent()) ?? "";
  }
}
