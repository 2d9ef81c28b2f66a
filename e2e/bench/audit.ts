import lighthouse from "lighthouse";
import { median, withBrowser } from "./browser";

const runs = 3;

// figures are those of Lighthouse's mobile preset: scores from 0 to 100, first paint and blocking time in milliseconds.
const figures = ["performance", "accessibility", "bestPractices", "seo", "paint", "shift", "blocking"] as const;

type Figures = Record<(typeof figures)[number], number>;

// Audit is the median of several runs. Spread is how far the slowest is from the quickest.
export interface Audit extends Figures {
  spread: Figures;
}

// audit looks at a page with Lighthouse, leaving out what the page does on purpose. Each run is a first visit in a new browser: Lighthouse empties
// a browser's cache but keeps its cookies, which tell the server that it already has the stylesheets.
export async function audit(url: string, onPurpose: string[] = []): Promise<Audit> {
  const seen: Figures[] = [];
  const look = () => withBrowser((_, port) => once(port, url, onPurpose));
  for (let run = 0; run < runs; run++) {
    // Lighthouse now and then misses the start of a navigation.
    seen.push(await look().catch(look));
  }
  const over = (take: (values: number[]) => number) =>
    Object.fromEntries(figures.map((figure) => [figure, take(seen.map((one) => one[figure]))])) as Figures;
  return { ...over(median), spread: over((values) => Math.max(...values) - Math.min(...values)) };
}

async function once(port: number, url: string, skipAudits: string[]): Promise<Figures> {
  const result = await lighthouse(url, {
    port,
    logLevel: "error",
    onlyCategories: ["performance", "accessibility", "best-practices", "seo"],
    skipAudits,
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
    bestPractices: 100 * figure(categories["best-practices"]?.score),
    seo: 100 * figure(categories.seo?.score),
    paint: figure(audits["first-contentful-paint"]?.numericValue),
    shift: figure(audits["cumulative-layout-shift"]?.numericValue),
    blocking: figure(audits["total-blocking-time"]?.numericValue),
  };
}
