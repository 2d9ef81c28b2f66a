import type { Browser, CDPSession, Page } from "@playwright/test";
import { median, phone } from "./browser";

const runs = 7;

declare global {
  interface Window {
    /** tell asks the benchmark for a tap, "x y", or tells it the time that is measured, in milliseconds. */
    tell(words: string): void;
  }
}

// ready returns, for each page, how many milliseconds after the navigation a tap on the first plus shows quantity 1, on a
// phone with 150 ms latency, 1.6 Mbit/s, a processor four times slower and an empty cache. The pages take turns;
// each figure is the median of the runs.
export function ready(browser: Browser, urls: string[]): Promise<number[]> {
  return byTurns(browser, urls, tapFirstPlus);
}

// inPlace returns the same for a card form: after how many milliseconds its page itself responds to a tap on Pay.
export function inPlace(browser: Browser, urls: string[]): Promise<number[]> {
  return byTurns(browser, urls, tapPay);
}

// inPlaceAfter tells it of a visit that began at the menu, on which the menu's basket has come alive.
export function inPlaceAfter(browser: Browser, menu: string, urls: string[]): Promise<number[]> {
  return byTurns(browser, urls, tapPay, async (page) => {
    await page.goto(menu);
    await page.locator("fc-order-basket > .island").waitFor({ state: "attached" });
  });
}

async function byTurns(
  browser: Browser,
  urls: string[],
  tap: () => void,
  before?: (page: Page) => Promise<void>,
): Promise<number[]> {
  const taken = urls.map((): number[] => []);
  for (let run = 0; run <= runs; run++) {
    for (const [page, url] of urls.entries()) {
      const time = await once(browser, url, tap, before);
      // The first round warms up the browser and the servers.
      if (run > 0) taken[page]?.push(time);
    }
  }
  return taken.map(median);
}

async function once(
  browser: Browser,
  url: string,
  tap: () => void,
  before?: (page: Page) => Promise<void>,
): Promise<number> {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 150,
      downloadThroughput: 1_600_000 / 8,
      uploadThroughput: 1_600_000 / 8,
    });
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await before?.(page);
    // The page tells by itself: a script that asks would take such a phone 80 ms to read.
    await session.send("Runtime.enable");
    await session.send("Runtime.addBinding", { name: "tell" });
    const told = new Promise<number>((resolve, reject) => {
      session.on("Runtime.bindingCalled", ({ payload }) => {
        const [x = 0, y] = payload.split(" ").map(Number);
        if (y === undefined) resolve(x);
        else touch(session, x, y).catch(reject);
      });
      setTimeout(() => reject(new Error(`${url} does not respond to a tap`)), 30_000).unref();
    });
    await page.addInitScript(tap);
    await page.goto(url, { waitUntil: "commit" });
    return await told;
  } finally {
    await context.close();
  }
}

// touch taps as a finger does, with all that the browser makes of a tap before the page learns of it.
async function touch(session: CDPSession, x: number, y: number): Promise<void> {
  await Promise.all([
    session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] }),
    session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] }),
  ]);
}

// tapFirstPlus runs in the page. It taps as soon as the button is painted and nothing covers it, again every 100 ms as long as
// nothing happens, and notes the frame that shows the quantity. If the script is late and the tap posts the form, the
// time runs until the new page shows the quantity, which is what a quick customer experiences.
function tapFirstPlus() {
  const now = () => performance.timeOrigin + performance.now();
  if (sessionStorage.getItem("begun") === null) sessionStorage.setItem("begun", String(performance.timeOrigin));
  let tapped = -100;
  let posted = false;
  addEventListener("submit", (event) => {
    posted = !event.defaultPrevented;
  });
  const look = () => {
    const button = document.querySelector<HTMLButtonElement>("li.item button[name=add]");
    if (Number(button?.closest("li")?.querySelector("output")?.textContent) > 0) {
      window.tell(String(now() - Number(sessionStorage.getItem("begun"))));
      return;
    }
    const painted = performance.getEntriesByName("first-contentful-paint").length > 0;
    if (button && painted && !posted && performance.now() - tapped >= 100) {
      const box = button.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      if (button.contains(document.elementFromPoint(x, y))) {
        tapped = performance.now();
        window.tell(`${x} ${y}`);
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

// tapPay runs in the page. As soon as the form is painted, and again as long as no script of the page responds, it empties the
// card number and taps Pay. It notes the frame that shows what is missing. The form is never sent and the page never left.
function tapPay() {
  const again = 50; // milliseconds
  let tapped = -again;
  addEventListener("submit", (event) => event.preventDefault());
  const look = () => {
    const number = document.querySelector<HTMLInputElement>("form input[name=card]");
    const button = number?.form?.querySelector("button:not([type=button])");
    if (number?.getAttribute("aria-invalid") === "true") {
      window.tell(String(performance.now()));
      return;
    }
    const painted = performance.getEntriesByName("first-contentful-paint").length > 0;
    if (number && button && painted && performance.now() - tapped >= again) {
      tapped = performance.now();
      number.value = "";
      (button as HTMLButtonElement).click();
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
