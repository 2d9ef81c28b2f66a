import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./test";
import { views } from "./views";

// Each theme once and each width once: what axe looks at does not depend on both together.
const looks = [
  { colorScheme: "light", width: 360 },
  { colorScheme: "dark", width: 1280 },
] as const;

for (const [view, open] of Object.entries(views)) {
  test(`${view}: axe finds nothing, light and dark, narrow and wide`, async ({ menu, payment, page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open({ menu, payment });
    for (const { colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
      expect(found, `${view}, ${colorScheme}, ${width} px`).toEqual([]);
    }
  });
}
