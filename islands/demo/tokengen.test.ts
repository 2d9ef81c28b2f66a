import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { tellBusy } from "./busy";
import { enableCopying } from "./copy";

const get = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector) as T;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe("the form", () => {
  tellBusy(document);
  const fire = (name: string) => get("form").dispatchEvent(new Event(name, { bubbles: true }));

  beforeEach(() => {
    document.body.innerHTML = `<form><p data-unreached hidden tabindex="-1">Error</p><button data-busy="Generating...">Generate Token</button></form>`;
  });

  test("shows that it is busy until the answer arrives (TOKEN-05)", () => {
    fire("htmx:before:request");
    expect(get("button").textContent).toBe("Generating...");
    fire("htmx:finally:request");
    expect(get("button").textContent).toBe("Generate Token");
    expect(get("p").hidden).toBe(true);
  });

  test("says that no answer came, until the next try (TOKEN-17)", () => {
    fire("htmx:before:request");
    fire("htmx:error");
    expect(get("p").hidden).toBe(false);
    expect(document.activeElement).toBe(get("p"));
    fire("htmx:before:request");
    expect(get("p").hidden).toBe(true);
  });
});

describe("copying", () => {
  const copied = vi.fn<(text: string) => Promise<void>>();

  beforeEach(() => {
    copied.mockReset();
    Object.defineProperty(navigator, "clipboard", { value: { writeText: copied }, configurable: true });
    document.body.innerHTML = `<code id="token"> abc </code><button data-copy="#token" data-copied="Copied" hidden>Copy</button>`;
    enableCopying(document);
    enableCopying(document);
  });

  test("copies once for each tap, and says so for a moment", async () => {
    expect(get("button").hidden).toBe(false);
    get("button").click();
    await vi.waitFor(() => expect(get("button").textContent).toBe("Copied"), 10_000);
    expect(copied.mock.calls).toEqual([["abc"]]);
    get("button").click();
    await vi.advanceTimersByTimeAsync(2000);
    expect(get("button").textContent).toBe("Copy");
  });

  test("selects the text if the browser forbids copying", async () => {
    copied.mockRejectedValue(new Error("not allowed"));
    get("button").click();
    await vi.waitFor(() => expect(getSelection()?.toString().trim()).toBe("abc"), 10_000);
    expect(get("button").textContent).toBe("Copy");
  });
});
