import type { Browser } from "@playwright/test";
import { fetchBrotli, linked, stylesOf, total, withImports } from "../wire";
import { phone } from "./browser";

// Weight is the size of a page with brotli, in bytes.
export interface Weight {
  critical: number; // HTML and CSS on the wire, headers included
  early: number; // scripts that run before the first tap
  scripts: number; // all scripts, including those that islands load
  pictures: number; // of the first screen
  requests: number; // until its island is there
}

export async function weigh(browser: Browser, address: string): Promise<Weight> {
  const url = new URL(address);
  const html = await fetchBrotli(url);
  const styles = stylesOf(html.text, url);
  const early = await withImports(linked(html.text, url, /<script[^>]*src="([^"]+)"/g));
  const { scripts, pictures, requests } = await loaded(browser, address);
  return {
    critical: html.bytes + (await total(styles)),
    early: await total(early, "body"),
    scripts: await total(scripts, "body"),
    pictures: await total(pictures, "body"),
    requests,
  };
}

// loaded lists the scripts that a phone fetches until its island is there, and the pictures of the first screen. It counts all requests.
async function loaded(
  browser: Browser,
  address: string,
): Promise<{ scripts: URL[]; pictures: URL[]; requests: number }> {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    const scripts = new Set<string>();
    let requests = 0;
    page.on("request", (request) => {
      // Leave out what wallet makers send.
      if (new URL(request.url()).host !== new URL(address).host) return;
      requests++;
      if (request.resourceType() === "script" || new URL(request.url()).pathname.endsWith(".js")) {
        scripts.add(request.url());
      }
    });
    await page.goto(address);
    await page.locator("fc-order-basket > .island, fc-card-form[hx-morph-skip]").waitFor({ state: "attached" });
    const pictures = await page.locator("img").evaluateAll((images) =>
      (images as HTMLImageElement[])
        .filter((image) => image.getBoundingClientRect().top < innerHeight)
        .map((image) => image.src)
        // A picture inside the page is already part of the page's weight.
        .filter((address) => !address.startsWith("data:")),
    );
    const urls = (list: Iterable<string>) => [...new Set(list)].map((one) => new URL(one));
    return { scripts: urls(scripts), pictures: urls(pictures), requests };
  } finally {
    await context.close();
  }
}
