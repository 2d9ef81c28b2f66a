import { readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Locator, type Page } from "@playwright/test";
import { type ConfigData, HtmlValidate } from "html-validate";

const validator = new HtmlValidate(JSON.parse(readFileSync(".htmlvalidate.json", "utf8")) as ConfigData);

// Each theme and each width occur once, because axe's checks do not depend on their combination.
const looks = [
  { colorScheme: "light", width: 360 },
  { colorScheme: "dark", width: 1280 },
] as const;

// expectAccessible checks that axe finds nothing on a page and that nothing overflows, with the light theme on a narrow screen and
// the dark theme on a wide one. Failures are reported with name, and the test goes on.
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const { colorScheme, width } of looks) {
    const look = `${name}, ${colorScheme}, ${width} px`;
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 800 });
    // The legacy mode opens no extra page for each look, but it leaves out frames of other sites.
    const { violations } = await new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ["violations"] })
      .analyze();
    const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
    expect.soft(found, look).toEqual([]);
    await expectInside(page, look);
  }
  await expectRanked(page, name);
  await page.emulateMedia({ colorScheme: "light" });
  if (before) await page.setViewportSize(before);
}

// expectRanked checks that a page has one loud button, and at most two with an outline.
async function expectRanked(page: Page, name: string): Promise<void> {
  for (const [kind, most] of [
    ["primary", 1],
    ["secondary", 2],
  ] as const) {
    const buttons = page.locator(`main:not(:has(dialog:modal)) .button.${kind}, dialog:modal .button.${kind}`);
    const seen = await buttons.filter({ visible: true }).count();
    expect.soft(seen, `${name}: ${kind} buttons`).toBeLessThanOrEqual(most);
  }
}

// expectInside checks that nothing overflows the page sideways.
export async function expectInside(page: Page, name: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(over, `${name}: px beyond the page's edge`).toBeLessThanOrEqual(0);
}

// expectThumbs checks that every button is large enough for a thumb.
/**
 * expectStyled expects that a page which contains a part of its frame's stylesheet lacks no rule for anything on it. States such as :hover count
 * as if they held.
 */
export async function expectStyled(page: Page, name: string): Promise<void> {
  const missing = await page.evaluate(() => {
    const rulesOf = (rules: CSSRuleList): CSSStyleRule[] =>
      [...rules].flatMap((rule) => {
        if (rule instanceof CSSStyleRule) return [rule];
        return rule instanceof CSSGroupingRule ? rulesOf(rule.cssRules) : [];
      });
    const sheets = [...document.styleSheets];
    const here = new Set(
      sheets.filter((sheet) => !sheet.href).flatMap((sheet) => rulesOf(sheet.cssRules).map((rule) => rule.cssText)),
    );
    const states =
      /:not\(:[\w-]+\)|::[\w-]+(\([^)]*\))?|:(hover|active|focus-visible|focus-within|focus|target-current)/g;
    return sheets
      .filter((sheet) => sheet.media.mediaText === "not all")
      .flatMap((sheet) => rulesOf(sheet.cssRules))
      .filter((rule) => !here.has(rule.cssText))
      .map((rule) => rule.selectorText.replace(states, ""))
      .filter((selector) => /\w/.test(selector) && document.querySelector(selector));
  });
  expect(missing, `${name}: rules that the page leaves out`).toEqual([]);
}

export async function expectThumbs(page: Page, name: string): Promise<void> {
  const small = await page.getByRole("button").evaluateAll((buttons) =>
    buttons
      .map((button) => {
        const { width, height } = button.getBoundingClientRect();
        return { name: button.getAttribute("aria-label") ?? button.textContent?.trim(), width, height };
      })
      .filter(({ width, height }) => width > 1 && Math.round(Math.min(width, height)) < 44),
  );
  expect.soft(small, `${name}: buttons below 44 px`).toEqual([]);
}

// expectValid checks that a document is valid HTML.
export async function expectValid(html: string, name: string): Promise<void> {
  const report = await validator.validateString(html);
  const found = report.results.flatMap((result) =>
    result.messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`),
  );
  expect.soft(found, `${name}: valid HTML`).toEqual([]);
}

// colourOf returns the colour of an element's text, each part from 0 to 255, whatever notation the style uses.
export async function colourOf(element: Locator): Promise<{ red: number; green: number; blue: number }> {
  const [red = 0, green = 0, blue = 0] = await element.evaluate((node) => {
    const pen = document.createElement("canvas").getContext("2d");
    if (!pen) throw new Error("there is no canvas");
    pen.fillStyle = getComputedStyle(node).color;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  });
  return { red, green, blue };
}
