import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { readQR } from "./qr-reader";
import { expect, test } from "./test";

const badge = (page: Page) => page.getByRole("region", { name: "QR code" });
const code = (page: Page) => badge(page).getByRole("img", { name: /^QR code for/ });

test("a phone reads the badge, light and dark", {
  annotation: { type: "requirements", description: "QR-04 QR-07 QR-08 QR-09" },
  tag: "@desktop",
}, async ({ page, baseURL }) => {
  await page.goto("/demo/qr");
  await expect(page.getByLabel("Business")).toHaveValue("panezski");
  await expect(page.getByLabel("Table number")).toHaveValue("1");
  await expect(badge(page)).toContainText("Table 1");
  const box = await code(page).boundingBox();
  expect([box?.width, box?.height]).toEqual([128, 128]);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await readQR(page, await code(page).screenshot())).toBe(`${baseURL}/pos/panezski?t=1`);
  }
});

test("the badge follows the form", {
  annotation: { type: "requirements", description: "QR-01 QR-02 QR-03 QR-05 QR-06" },
  tag: "@nojs",
}, async ({ page, baseURL, javaScriptEnabled }) => {
  await page.goto("/demo/qr");
  await expect(page.getByRole("option")).toHaveCount(4);
  const show = async () => {
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Show the code" }).click();
  };
  await page.getByLabel("Business").selectOption("Moollar");
  await page.getByLabel("Table number").fill("A7 & B");
  await show();
  await expect(badge(page)).toContainText("Moollar");
  await expect(badge(page)).toContainText("Table A7 & B");
  await expect(badge(page).getByRole("link", { name: /^http/ })).toHaveText(`${baseURL}/pos/moollar?t=A7+%26+B`);
  await page.reload();
  await expect(badge(page)).toContainText("Table A7 & B");
  await page.getByLabel("Table number").fill("");
  await show();
  await expect(badge(page)).toContainText("Takeaway Order");
  await expect(badge(page).getByRole("link", { name: /^http/ })).toHaveText(`${baseURL}/pos/moollar`);
});

test("each keystroke makes a new code", { annotation: { type: "requirements", description: "QR-07" } }, async ({
  page,
  baseURL,
}) => {
  await page.goto("/demo/qr");
  await page.getByLabel("Table number").fill("");
  await page.getByLabel("Table number").pressSequentially("Garden 12", { delay: 20 });
  await expect(badge(page)).toContainText("Table Garden 12");
  await expect(page.getByLabel("Table number")).toBeFocused();
  expect(await readQR(page, await code(page).screenshot())).toBe(`${baseURL}/pos/panezski?t=Garden+12`);
});

for (const [name, media, suffix] of [
  ["Download SVG", "image/svg+xml", "svg"],
  ["Download PNG", "image/png", "png"],
] as const) {
  test(`${name} downloads a file that a phone reads`, {
    annotation: { type: "requirements", description: "QR-08" },
  }, async ({ page, baseURL }) => {
    await page.goto("/demo/qr?client=sabona&table=7");
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe(`sabona-table-7.${suffix}`);
    const file = await readFile(await download.path());
    expect(await readQR(page, file, media)).toBe(`${baseURL}/pos/sabona?t=7`);
  });
}

test("the codes of all tables are on a sheet that prints six to a page", { tag: "@desktop" }, async ({
  page,
  baseURL,
}) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await page.goto("/demo/qr?client=tahbella");
  await page.getByLabel("Number of tables").fill("13");
  await page.getByRole("button", { name: "Print view" }).click();
  const cards = page.getByRole("main").getByRole("listitem");
  await expect(cards).toHaveCount(13);
  const last = cards.last().getByRole("img", { name: "QR code for Table 13" });
  expect(await readQR(page, await last.screenshot())).toBe(`${baseURL}/pos/tahbella?t=13`);
  for (const format of ["A4", "Letter"]) {
    const pdf = (await page.pdf({ format })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b/g)?.length, format).toBe(3);
  }
  await page.getByRole("button", { name: "Print" }).click();
  await expect(page.locator("body[data-printed]")).toBeAttached();
});
