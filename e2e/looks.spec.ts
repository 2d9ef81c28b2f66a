import type { Response } from "@playwright/test";
import { expectAccessible, expectInside, expectStyled, expectThumbs, expectValid } from "./inspect";
import { signIn } from "./people";
import { expect, test } from "./test";
import { journeys } from "./views";

// One journey through the views serves all the checks of each view. Without JavaScript the page is what the server sent.
for (const [name, lead] of Object.entries(journeys)) {
  test(`${name}: valid, accessible, large enough for a thumb, and nothing overflows`, { tag: "@nojs" }, async ({
    menu,
    payment,
    page,
    javaScriptEnabled,
  }) => {
    test.slow();
    let document: Response | undefined;
    page.on("response", (response) => {
      const redirect = response.status() >= 300 && response.status() < 400;
      if (response.request().isNavigationRequest() && !redirect) document = response;
    });
    if (javaScriptEnabled) await page.emulateMedia({ reducedMotion: "reduce" });
    const look = (view: string) =>
      test.step(view, async () => {
        await page.waitForLoadState(); // its text may be there before its styles
        await expectInside(page, view);
        await expectStyled(page, view);
        await page.context().clearCookies({ name: /^forecourt-style-/ }); // the next page contains its styles, too
        if (javaScriptEnabled) {
          await expectThumbs(page, view);
          await expectAccessible(page, view);
        } else {
          await expectValid((await document?.text()) ?? "", view);
        }
      });
    await lead({ menu, payment, look });
  });
}

// Pages of each kind, and every page with a table, a long word or columns that once widened it.
const large = {
  guest: [
    "/",
    "/pos/panezski?t=4",
    "/pos/panezski/demo",
    "/docs",
    "/docs/api",
    "/docs/nonsense",
    "/demo/hps",
    "/signin",
  ],
  "demo@forecourt.test": [
    ...["", "/payments", "/links", "/notices", "/menu?reorder=on", "/menu/item/1", "/team"].map(
      (at) => `/desk/panezski${at}`,
    ),
    "/account",
  ],
  "staff@forecourt.test": ["/staff", "/staff/accounts?state=", "/staff/site"],
};

for (const [who, paths] of Object.entries(large)) {
  test(`nothing overflows at text of 200 %, ${who}`, async ({ page }) => {
    if (who !== "guest") await signIn(page, who);
    for (const path of paths) {
      await page.goto(path);
      await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
      await page.locator("details.disclosure").evaluateAll((all) => {
        for (const one of all) one.setAttribute("open", "");
      });
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 740 });
        await expectInside(page, `${path}, ${width} px`);
      }
    }
  });
}

test("colours fade within 300 ms, and nothing moves with reduced motion", {
  annotation: { type: "requirements", description: "CONST-07" },
}, async ({ menu, page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await menu.open();
  await expect(menu.viewOrder).toHaveCSS("transition-duration", /^0\.3s(, 0\.3s)*$/);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await menu.open();
  await menu.add("Flat White");
  const moving = await page.evaluate(
    () => document.getAnimations().filter((one) => one.playState === "running").length,
  );
  expect(moving).toBe(0);
});
