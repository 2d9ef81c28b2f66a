// as shots.mjs, but crops: node shots2.mjs BASE OUT W H path…
import { chromium } from "playwright-core";
import { mkdirSync } from "node:fs";
const [base, out, w, h, ...paths] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const { AS, DARK, NOJS, CSS } = process.env;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const context = await browser.newContext({ baseURL: base, viewport: { width: +w, height: +h }, colorScheme: DARK ? "dark" : "light", javaScriptEnabled: !NOJS });
const page = await context.newPage();
if (AS) {
  await page.goto("/signin");
  await page.locator("input[name=email]").first().fill(AS);
  await page.locator("input[type=password]").first().fill("Demo-pass-1");
  await Promise.all([page.waitForURL((u) => !u.pathname.startsWith("/signin"), { timeout: 30000 }), page.locator("input[type=password]").first().press("Enter")]);
}
for (const path of paths) {
  await page.goto(path); await page.waitForTimeout(800);
  await page.screenshot({ path: `${out}/${path.replace(/[^a-z0-9]+/gi, "_")}-${w}${DARK ? "-dark" : ""}${NOJS ? "-nojs" : ""}.png` });
}
await browser.close();
