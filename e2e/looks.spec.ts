import { expect, test } from "./test";
import { views } from "./views";

for (const [view, open] of Object.entries(views)) {
  test(`${view}: nothing runs out of the page at 360 px`, { tag: "@nojs" }, async ({ menu, payment, page }) => {
    await open({ menu, payment });
    const { content, room } = await page.evaluate(() => ({
      content: document.documentElement.scrollWidth,
      room: document.documentElement.clientWidth,
    }));
    expect(content).toBeLessThanOrEqual(room);
  });

  test(`${view}: buttons are large enough for a thumb`, async ({ menu, payment, page }) => {
    await open({ menu, payment });
    for (const button of await page.getByRole("button").all()) {
      const box = await button.boundingBox();
      if (box && box.width > 1) {
        const name = await button.evaluate((node) => node.getAttribute("aria-label") ?? node.textContent?.trim());
        expect(Math.round(Math.min(box.width, box.height)), `"${name}" in px`).toBeGreaterThanOrEqual(44);
      }
    }
  });
}

for (const path of [
  "/",
  "/pos/panezski?t=4",
  "/pos/panezski/order",
  "/pos/panezski/demo",
  "/pos/panezski/zzz",
  "/pos/nosuch",
]) {
  test(`${path}: nothing inline may run and nobody may frame it`, async ({ request }) => {
    const policy = (await request.get(path)).headers()["content-security-policy"] ?? "";
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
  });
}

test("CONST-07 with reduced motion nothing moves", async ({ menu, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await menu.open();
  await menu.add("Flat White");
  const moving = await page.evaluate(
    () => document.getAnimations().filter((one) => one.playState === "running").length,
  );
  expect(moving).toBe(0);
});
