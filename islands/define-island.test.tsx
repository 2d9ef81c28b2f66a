import { useLayoutEffect, useRef } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { defineIsland, type IslandModule, type When } from "./define-island";
import type { Fallback } from "./fallback";
import { mount } from "./react-root";

interface Props {
  label: string;
}

function Greeting({ props, fallback }: { props: Props; fallback: Fallback }) {
  return (
    <form>
      <input name="name" defaultValue={fallback.fields.name?.value} />
      <button type="button">{props.label}</button>
      <p>{fallback.fields.name?.problem}</p>
    </form>
  );
}

const chunk: IslandModule<Props> = { default: Greeting, mount };
let count = 0;

/** island puts an element of a new kind on the page. */
function island(load: () => Promise<IslandModule<Props>>, when: When = "use") {
  const tag = `fc-test-${++count}`;
  document.body.innerHTML = `<${tag}><script type="application/json">{"label":"Pay"}</script>
    <form id="fallback"><input id="n" name="name"><p id="n-problem">Too short</p><button>Pay</button></form></${tag}>`;
  defineIsland<Props>(tag, load, { when });
  const element = document.querySelector<HTMLElement>(tag);
  if (!element) throw new Error("no island");
  if (when === "use") dispatchEvent(new Event("pointermove"));
  return element;
}

/** settled lets everything in progress finish, including timers of up to a tenth of a second. */
async function settled() {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(100);
}
const isFallback = (element: Element) => element.querySelector("#fallback") !== null;
const field = (element: Element) => element.querySelector<HTMLInputElement>("input") as HTMLInputElement;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("reportError", vi.fn());
});
afterEach(() => vi.useRealTimers());

describe("taking over", () => {
  test("React replaces the fallback, and gets its props, typed values and server messages", async () => {
    const element = island(async () => chunk);
    field(element).value = "Ann";
    await settled();
    expect(isFallback(element)).toBe(false);
    expect(element.querySelector("button")?.textContent).toBe("Pay");
    expect(field(element).value).toBe("Ann");
    expect(element.querySelector("p")?.textContent).toBe("Too short");
  });

  test("never happens while a person types, but after leaving the field", async () => {
    const element = island(async () => chunk);
    field(element).focus();
    await settled();
    expect(isFallback(element)).toBe(true);
    field(element).value = "Ann typed on";
    field(element).blur();
    expect(isFallback(element), "until a later task, the next keystroke would be lost").toBe(false);
    expect(field(element).value).toBe("Ann typed on");
  });

  test("never happens between press and click", async () => {
    let arrive: (found: IslandModule<Props>) => void = () => {};
    const element = island(() => new Promise((resolve) => (arrive = resolve)));
    field(element).focus();
    arrive(chunk);
    await settled();
    element.querySelector("button")?.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    field(element).blur();
    await settled();
    expect(isFallback(element)).toBe(true);
    dispatchEvent(new Event("pointerup"));
    await settled();
    expect(isFallback(element)).toBe(false);
  });

  test("never happens to a form that was sent", async () => {
    const element = island(async () => chunk);
    field(element).focus();
    await settled();
    element.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true }));
    field(element).blur();
    await settled();
    expect(isFallback(element)).toBe(true);
  });

  test("draws the component on the page, where dialogs can open", async () => {
    const attached: boolean[] = [];
    const probe = () => {
      const ref = useRef<HTMLDivElement>(null);
      useLayoutEffect(() => void attached.push(ref.current?.isConnected ?? false));
      return <div ref={ref} />;
    };
    island(async () => ({ default: probe, mount }));
    await settled();
    expect(attached).toEqual([true]);
  });

  test("passes a button's focus on", async () => {
    const element = island(async () => chunk);
    element.querySelector("button")?.focus();
    await settled();
    expect(isFallback(element)).toBe(false);
    expect(document.activeElement).toBe(element.querySelector("button"));
  });
});

describe("loading", () => {
  test("waits for a touch if told to", async () => {
    const load = vi.fn(async () => chunk);
    const element = island(load, "interact");
    await settled();
    expect(load).not.toHaveBeenCalled();
    element.dispatchEvent(new Event("pointerover"));
    await settled();
    expect(load).toHaveBeenCalledTimes(1);
    expect(isFallback(element)).toBe(false);
  });

  test("fetches what its script imports at the same time", async () => {
    const element = island(async () => chunk, "interact");
    element.dataset.scripts = "/static/a.js /static/b.js";
    element.dispatchEvent(new Event("pointerdown"));
    const named = [...document.head.querySelectorAll("link[rel=modulepreload]")].map((one) => one.getAttribute("href"));
    expect(named).toEqual(["/static/a.js", "/static/b.js"]);
  });

  test.each([{ saveData: true }, { effectiveType: "2g" }, { effectiveType: "slow-2g" }])(
    "waits for a touch where data is dear: %o",
    async (connection) => {
      const load = vi.fn(async () => chunk);
      vi.stubGlobal("navigator", { connection });
      const element = island(load, "idle");
      await vi.advanceTimersByTimeAsync(10_000);
      expect(load).not.toHaveBeenCalled();
      element.dispatchEvent(new Event("pointerdown"));
      await settled();
      expect(load).toHaveBeenCalledTimes(1);
      vi.unstubAllGlobals();
    },
  );

  test("otherwise happens when the page is idle", async () => {
    const load = vi.fn(async () => chunk);
    vi.stubGlobal("navigator", { connection: { effectiveType: "4g" } });
    island(load, "idle");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(load).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });

  test.each(["loading", "interactive"] as const)("leaves the network to a page that is still %s", async (state) => {
    const load = vi.fn(async () => chunk);
    vi.stubGlobal("navigator", { connection: { effectiveType: "4g" } });
    vi.spyOn(document, "readyState", "get").mockReturnValue(state);
    island(load, "idle");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(load).not.toHaveBeenCalled();
    dispatchEvent(new Event("load"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test("a missing chunk reports a ChunkLoadError, leaves the fallback and is asked for at the next touch (CONST-06)", async () => {
    const load = vi.fn(async () => chunk).mockRejectedValueOnce(new TypeError("Failed to fetch"));
    const element = island(load);
    await settled();
    expect(isFallback(element)).toBe(true);
    expect(reportError).toHaveBeenCalledWith(expect.objectContaining({ name: "ChunkLoadError" }));
    element.dispatchEvent(new Event("pointerdown"));
    dispatchEvent(new Event("pointerup"));
    await settled();
    expect(isFallback(element)).toBe(false);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test("a component that fails leaves the fallback", async () => {
    const failing = () => {
      throw new Error("broken");
    };
    const element = island(async () => ({ default: failing, mount }));
    await settled();
    expect(isFallback(element)).toBe(true);
    expect(reportError).toHaveBeenCalledWith(expect.objectContaining({ message: "broken" }));
  });
});

describe("leaving the page", () => {
  test("an element that stays away is unmounted and would work again", async () => {
    const element = island(async () => chunk);
    await settled();
    element.remove();
    await settled();
    expect(isFallback(element)).toBe(true);
    document.body.append(element);
    await settled();
    expect(isFallback(element)).toBe(false);
  });

  test("an element that is only moved keeps what was typed", async () => {
    const element = island(async () => chunk);
    await settled();
    const typed = field(element);
    typed.value = "4111";
    element.remove();
    document.body.append(element);
    await settled();
    expect(field(element)).toBe(typed);
    expect(field(element).value).toBe("4111");
  });

  test("an element that is moved while its chunk loads takes over once", async () => {
    let arrive: (found: IslandModule<Props>) => void = () => {};
    const load = vi.fn(() => new Promise<IslandModule<Props>>((resolve) => (arrive = resolve)));
    const element = island(load);
    await settled();
    element.remove();
    document.body.append(element);
    await settled();
    arrive(chunk);
    await settled();
    expect(load).toHaveBeenCalledTimes(1);
    expect(element.querySelectorAll("form")).toHaveLength(1);
  });

  test("a chunk that arrives too late does nothing", async () => {
    let arrive: (found: IslandModule<Props>) => void = () => {};
    const element = island(() => new Promise((resolve) => (arrive = resolve)));
    await settled();
    element.remove();
    arrive(chunk);
    await settled();
    expect(isFallback(element)).toBe(true);
  });
});
