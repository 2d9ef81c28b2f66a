import { createServer } from "node:net";
import { type Browser, type BrowserContextOptions, chromium } from "@playwright/test";
import { chromiumPath, startOptions } from "../chromium";

export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
  locale: "en-AU",
};

// withBrowser calls use with a new browser and the port of its debugging protocol.
export async function withBrowser<T>(use: (browser: Browser, port: number) => Promise<T>): Promise<T> {
  const port = await freePort();
  const { executablePath, args } = startOptions(chromiumPath());
  const browser = await chromium.launch({ executablePath, args: [`--remote-debugging-port=${port}`, ...args] });
  try {
    return await use(browser, port);
  } finally {
    await browser.close();
  }
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => found(typeof address === "object" && address ? address.port : 0));
    });
  });
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
