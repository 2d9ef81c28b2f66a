import { Agent, get } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

// An Answer is the response to one request. bytes counts everything on the wire; body leaves out the headers.
export interface Answer {
  bytes: number;
  body: number;
  text: string;
}

// unpack undoes the encodings that the site uses.
const unpack: Record<string, (body: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

// fetchPacked sends a request like a browser, over a new connection.
export function fetchPacked(url: URL): Promise<Answer> {
  return new Promise((done, failed) => {
    get(url, { agent: new Agent(), headers: { "Accept-Encoding": "gzip, br" } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const body = Buffer.concat(chunks);
        const plain = unpack[response.headers["content-encoding"] ?? ""]?.(body) ?? body;
        done({ bytes: response.socket.bytesRead, body: body.length, text: plain.toString() });
      });
      response.on("error", failed);
    }).on("error", failed);
  });
}

// total adds up the sizes of several addresses on the wire.
export async function total(urls: URL[], counted: "body" | "bytes" = "bytes"): Promise<number> {
  const answers = await Promise.all(urls.map(fetchPacked));
  return answers.reduce((sum, answer) => sum + answer[counted], 0);
}

// linked lists the addresses in a page's tags that match pattern. The first group is the address.
export function linked(html: string, page: URL, pattern: RegExp): URL[] {
  return [...html.matchAll(pattern)].map((match) => new URL((match[1] ?? "").replaceAll("&amp;", "&"), page));
}

// stylesOf lists the style sheets that a page waits for. One without a medium is fetched for the next page.
export function stylesOf(html: string, page: URL): URL[] {
  return linked(html, page, /<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"(?![^>]*media="not all")/g);
}

// scriptsOf lists the scripts that a page itself requests.
export function scriptsOf(html: string, page: URL): URL[] {
  return linked(html, page, /<script[^>]*src="([^"]+)"/g);
}

// withImports adds to scripts everything that they import statically, not what they load later.
export async function withImports(scripts: URL[]): Promise<URL[]> {
  const seen = new Map<string, URL>();
  const waiting = [...scripts];
  for (let script = waiting.pop(); script; script = waiting.pop()) {
    if (seen.has(script.href)) {
      continue;
    }
    seen.set(script.href, script);
    const { text } = await fetchPacked(script);
    waiting.push(...linked(text, script, /(?:^|[;}\s])(?:import|export)\b[^;("']*["']([^"']+\.js)["']/g));
  }
  return [...seen.values()];
}
