import { createServer } from "node:net";
import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { chromiumPath, startOptions } from "./chromium";

// This program measures for tools/bench what only a browser can measure. For each address in its arguments it prints how many
// milliseconds after the navigation Lighthouse's phone begins to paint the page on a first visit, and how many bytes of HTML and style
// come over the wire before that: the median of several visits, beside its target.
const visits = 3;

interface Seen {
  paint: number;
  bytes: number;
}

interface Request {
  resourceType: string;
  priority: string;
  transferSize: number;
}

async function visit(url: string): Promise<Seen> {
  const port = await freePort();
  const { executablePath, args } = startOptions(chromiumPath());
  const browser = await chromium.launch({ executablePath, args: [`--remote-debugging-port=${port}`, ...args] });
  try {
    const result = await lighthouse(url, { port, logLevel: "error", onlyCategories: ["performance"] });
    if (!result || result.lhr.runtimeError) {
      throw new Error(`Lighthouse could not look at ${url}: ${result?.lhr.runtimeError?.message ?? "no result"}`);
    }
    const { audits } = result.lhr;
    const requests = audits["network-requests"]?.details as unknown as { items: Request[] } | undefined;
    // A stylesheet that the first paint does not wait for has a lower priority.
    const critical = (requests?.items ?? []).filter(
      ({ resourceType, priority }) =>
        resourceType === "Document" || (resourceType === "Stylesheet" && priority === "VeryHigh"),
    );
    return {
      paint: audits["first-contentful-paint"]?.numericValue ?? Number.NaN,
      bytes: critical.reduce((sum, { transferSize }) => sum + transferSize, 0),
    };
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

function print(name: string, value: number, target: number, unit: string, digits: number) {
  const most = `at most ${target} ${unit}`;
  const mark = value <= target ? "ok" : "MISSED";
  console.log(`  ${name.padEnd(62)} ${`${value.toFixed(digits)} ${unit}`.padStart(10)}   ${most.padEnd(17)} ${mark}`);
}

for (const url of process.argv.slice(2)) {
  const seen: Seen[] = [];
  // Lighthouse now and then misses the start of a navigation.
  for (let n = 0; n < visits; n++) seen.push(await visit(url).catch(() => visit(url)));
  seen.sort((a, b) => a.paint - b.paint);
  const { paint, bytes } = seen[(visits - 1) / 2] as Seen;
  console.log(
    `\n${new URL(url).pathname}, first visit on Lighthouse's phone (150 ms, 1.6 Mbit/s, a processor four times slower)`,
  );
  print("first paint", paint, 800, "ms", 0);
  print("HTML and critical style on the wire", bytes / 1000, 14.6, "kB", 1);
}
