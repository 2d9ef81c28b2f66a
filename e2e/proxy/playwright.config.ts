import { defineConfig } from "@playwright/test";
import everywhere from "../../playwright.config";

const { use } = everywhere;

// deploy/journey_test.go starts the programs and gives the proxy's address in PROXY_URL.
export default defineConfig({
  testDir: ".",
  testMatch: "journey.ts",
  outputDir: "../../test-results/proxy",
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    ...use,
    ...everywhere.projects?.find(({ name }) => name === "phone")?.use,
    baseURL: process.env.PROXY_URL ?? "",
    ignoreHTTPSErrors: true,
    launchOptions: {
      ...use?.launchOptions,
      args: [...(use?.launchOptions?.args ?? []), "--host-resolver-rules=MAP pay.example 127.0.0.1"],
    },
  },
});
