import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./test";
import { views } from "./views";

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];

for (const [view, open] of Object.entries(views)) {
  test(`${view}: axe finds nothing, light and dark, narrow and wide`, async ({ menu, payment, page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open({ menu, payment });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const size of sizes) {
        await page.setViewportSize(size);
        const { violations } = await new AxeBuilder({ page }).analyze();
        const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
        expect(found, `${view}, ${colorScheme}, ${size.width} px`).toEqual([]);
      }
    }
  });
}
