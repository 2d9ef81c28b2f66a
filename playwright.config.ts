import { defineConfig, devices } from "@playwright/test";
import { chromiumPath, shellPath, startOptions } from "./e2e/chromium";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

// Tests run on the phone. Tagged ones run elsewhere: @nojs without JavaScript too, @nojs-only only there, @desktop on the
// desktop too. @nojs-long and @desktop-long do so in make test-long only: Go tests show the same without scripts, and a desktop
// looks much the same. make test-long also runs every test in the whole browser.
const long = process.env.E2E_LONG === "1";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/global-setup.ts",
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0, // a test that passes at a second try hides a mistake
  timeout: 90_000, // the longest journeys take a fifth of that; on a busy machine everything takes several times as long
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    // Recording every picture and document costs the browser a fifth to a half more; --trace on does so for one that failed.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    locale: "en-AU",
    timezoneId: "Australia/Sydney",
    launchOptions: startOptions(long ? chromiumPath() : shellPath()),
  },
  projects: [
    { name: "phone", use: phone, grepInvert: /@nojs-only/ },
    { name: "phone-nojs", use: { ...phone, javaScriptEnabled: false }, grep: long ? /@nojs/ : /@nojs(?!-long)/ },
    {
      name: "desktop",
      use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 800 } },
      grep: long ? /@desktop/ : /@desktop(?!-long)/,
    },
  ],
});
