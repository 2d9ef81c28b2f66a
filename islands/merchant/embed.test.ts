import { expect, test, vi } from "vitest";
import { talk } from "./embed";

/** frame is a page in a frame, and what it tells the page around it. */
function frame(origins: string) {
  const told: { data: { merchantId?: string; key?: string; height: number }; target: string }[] = [];
  const parent = { postMessage: (data: never, target: string) => told.push({ data, target }) };
  document.body.innerHTML = `<div class="embed" data-origins="${origins}" data-merchant="m-1"></div>`;
  let hear: (e: unknown) => void = () => undefined;
  const self = { document, parent, addEventListener: (_: string, f: typeof hear) => (hear = f) };
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
    },
  );
  talk(self as unknown as Window);
  return { told, asks: (origin: string) => hear({ source: parent, origin, data: { command: "get" } }) };
}

test("only a page that asks from an allowed origin gets the merchant, even if no origin is allowed", async () => {
  for (const origins of ["", "https://shop.test"]) {
    const { told, asks } = frame(origins);
    asks("https://evil.test");
    asks("");
    await vi.waitFor(() => expect(told).toHaveLength(3), 10_000);
    for (const { data } of told) expect(data).toEqual({ command: expect.any(String), height: expect.any(Number) });
  }
});

test("an allowed origin that asks gets the merchant, and nobody else does", async () => {
  const { told, asks } = frame("https://shop.test https://till.test");
  asks("https://till.test");
  await vi.waitFor(() => expect(told).toHaveLength(2), 10_000);
  const last = told[told.length - 1];
  expect(last?.target).toBe("https://till.test");
  expect(last?.data.merchantId).toBe("m-1");
});
