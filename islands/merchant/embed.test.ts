import { afterEach, expect, test, vi } from "vitest";
import { talk } from "./embed";
import { keepInfo } from "./info";

afterEach(() => vi.unstubAllGlobals());

/** frame is a page in a frame, and what it tells the page around it. */
function frame(origins: string) {
  const told: { data: { merchantId?: string; key?: string; height: number }; target: string }[] = [];
  const parent = { postMessage: (data: never, target: string) => told.push({ data, target }) };
  document.body.innerHTML = `<div class="embed" data-origins="${origins}" data-merchant="m-1"></div><p id="reported" hidden></p>`;
  let hear: (e: unknown) => void = () => undefined;
  const self = {
    document,
    parent,
    origin: "https://here.test",
    addEventListener: (_: string, f: typeof hear) => {
      hear = f;
    },
  };
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
    },
  );
  talk(self as unknown as Window);
  return {
    told,
    asks: (origin: string) => hear({ source: parent, origin, data: { command: "get" } }),
    hears: (origin: string, data: unknown) => hear({ source: {}, origin, data }),
  };
}

test("only a page that asks from an allowed origin gets the merchant, even if no origin is allowed", async () => {
  for (const [origins, messages] of [
    ["", 1],
    ["https://shop.test", 2],
  ] as const) {
    const { told, asks } = frame(origins);
    asks("https://evil.test");
    await vi.waitFor(() => expect(told).toHaveLength(messages), 10_000);
    for (const { data } of told) expect(data).toEqual({ command: expect.any(String), height: expect.any(Number) });
  }
});

test("an allowed origin that asks gets the merchant, and nobody else does", async () => {
  const { told, asks } = frame("https://shop.test https://till.test");
  asks("https://till.test");
  await vi.waitFor(() => expect(told).toHaveLength(3), 10_000);
  const last = told[told.length - 1];
  expect(last?.target).toBe("https://till.test");
  expect(last?.data.merchantId).toBe("m-1");
});

test("every message names its origin exactly", async () => {
  const { told } = frame("https://shop.test https://till.test");
  await vi.waitFor(() => expect(told.map(({ target }) => target)).toEqual(["https://shop.test", "https://till.test"]));
});

test("the page's own window tells the frame of the merchant, which passes it on to an allowed origin that asked", async () => {
  const { told, asks, hears } = frame("https://shop.test");
  asks("https://shop.test");
  hears("https://evil.test", { merchantId: "m-3", key: "ts_evil" });
  hears("https://here.test", { merchantId: "m-2", key: "ts_2" });
  await vi.waitFor(() => expect(told.at(-1)?.data).toMatchObject({ merchantId: "m-2", key: "ts_2" }), 10_000);
  expect(told.some(({ data }) => data.key === "ts_evil")).toBe(false);
  expect(document.querySelector("#reported")?.hasAttribute("hidden")).toBe(false);
});

test("a window tells its opener of the merchant, and only its own origin", async () => {
  document.body.innerHTML = `<div class="embed" data-merchant="m-1" data-key-url="/key"><p id="told" hidden></p></div>`;
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ key: "ts_1" }))));
  const opener = { postMessage: vi.fn() };
  const self = { document, opener, origin: "https://here.test" } as Record<string, unknown>;
  self.parent = self;
  talk(self as unknown as Window);
  await vi.waitFor(() =>
    expect(opener.postMessage).toHaveBeenCalledWith({ merchantId: "m-1", key: "ts_1" }, "https://here.test"),
  );
  expect(document.querySelector("#told")?.hasAttribute("hidden")).toBe(false);
});

test("a frame without storage still keeps going", () => {
  vi.stubGlobal(
    "localStorage",
    new Proxy(
      {},
      {
        get: () => {
          throw new DOMException("denied", "SecurityError");
        },
      },
    ),
  );
  document.body.innerHTML = `<script id="signup-info" type="application/json">{"name":"x"}</script>`;
  expect(() => keepInfo(document)).not.toThrow();
});
