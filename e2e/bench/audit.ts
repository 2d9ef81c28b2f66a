import lighthouse from "lighthouse";
import { median } from "./browser";

const runs = 3;

// Audit holds results of Lighthouse's mobile preset: scores from 0 to 100, and the blocking time in milliseconds.
export interface Audit {
  performance: number;
  accessibility: number;
  shift: number;
  blocking: number;
}

// audit returns the median of several runs of Lighthouse in the browser that listens on the port.
export async function audit(port: number, url: string): Promise<Audit> {
  const seen: Audit[] = [];
  for (let run = 0; run < runs; run++) {
    // Lighthouse sometimes misses the start of a navigation.
    seen.push(await once(port, url).catch(() => once(port, url)));
  }
  const of = (figure: keyof Audit) => median(seen.map((one) => one[figure]));
  return {
    performance: of("performance"),
    accessibility: of("accessibility"),
    shift: of("shift"),
    blocking: of("blocking"),
  };
}

async function once(port: number, url: string): Promise<Audit> {
  const result = await lighthouse(url, {
    port,
    logLevel: "error",
    onlyCategories: ["performance", "accessibility"],
  });
  if (!result || result.lhr.runtimeError) {
    throw new Error(`Lighthouse could not look at ${url}: ${result?.lhr.runtimeError?.message ?? "no result"}`);
  }
  const { categories, audits } = result.lhr;
  const figure = (value: number | null | undefined) => {
    if (typeof value !== "number") throw new Error(`Lighthouse left a figure of ${url} out`);
    return value;
  };
  return {
    performance: 100 * figure(categories.performance?.score),
    accessibility: 100 * figure(categories.accessibility?.score),
    shift: figure(audits["cumulative-layout-shift"]?.numericValue),
    blocking: figure(audits["total-blocking-time"]?.numericValue),
  };
}
