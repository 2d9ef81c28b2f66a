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
      <button type="button" onClick={({ currentTarget }) => paid(currentTarget.form?.querySelector("input")?.value)}>
        {props.label}
      </button>
      <p>{fallback.fields.name?.problem}</p>
    </form>
  );
}

const paid = vi.fn();
const chunk: IslandModule<Props> = { default: Greeting, mount };
let count = 0;

/** island puts an element of a new kind on the page. Its form waits for the island if it says that it could not be loaded. */
function island(load: () => Promise<IslandModule<Props>>, when: When = "use", unloaded = "") {
  const tag = `fc-test-${++count}`;
  document.body.innerHTML = `<${tag}><script type="application/json">{"label":"Pay"}</script>
    <form id="fallback"><input id="n" name="name"><p id="n-problem">Too short</p><button>Pay</button>
    ${unloaded && `<b role="alert" data-unloaded hidden>${unloaded}</b>`}</form></${tag}>`;
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
const button = (element: Element) => element.querySelector<HTMLButtonElement>("button") as HTMLButtonElement;

function press(control: Element) {
  control.dispatchEvent(new Event("pointerdown", { bubbles: true }));
}
function release(control: HTMLElement) {
  control.dispatchEvent(new Event("pointerup", { bubbles: true }));
  control.click();
}

/** late returns a function that loads a chunk, and one that lets it arrive. */
function late() {
  let arrive = () => {};
  const load = () => new Promise<IslandModule<Props>>((resolve) => (arrive = () => resolve(chunk)));
  return { load, arrive: () => arrive() };
}

beforeEach(() => {
  vi.useFakeTimers();
  paid.mockReset();
  vi.stubGlobal("reportError", vi.fn());
});
afterEach(() => {
  release(document.body); // no press goes on into the next test
  vi.runAllTimers();
  vi.useRealTimers();
});

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
    const element = island(async () => chunk);
    field(element).focus();
    await settled();
    press(button(element));
    field(element).blur();
    await settled();
    expect(isFallback(element)).toBe(true);
    release(document.body);
    await settled();
    expect(isFallback(element)).toBe(false);
  });

  test("never happens during the press that fetched the chunk", async () => {
    const element = island(async () => chunk, "interact");
    press(button(element));
    await settled();
    expect(isFallback(element)).toBe(true);
    release(document.body);
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
    button(element).focus();
    await settled();
    expect(isFallback(element)).toBe(false);
    expect(document.activeElement).toBe(button(element));
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
    press(element);
    release(element);
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

describe("a form that has to wait for its island", () => {
  const words = "This could not be loaded";
  const said = (element: Element) =>
    [...element.querySelectorAll("[role=alert]:not([hidden])")].map((one) => one.textContent);

  /** send submits the form as a person does with Enter or a tap on its button, and tells whether the browser would send it. */
  function send(element: Element, submitter = button(element)): boolean {
    const submit = new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter });
    return element.querySelector("form")?.dispatchEvent(submit) ?? true;
  }

  test("is not sent while the chunk is on its way; then the island's button is pressed once", async () => {
    const { load, arrive } = late();
    const element = island(load, "interact", words);
    field(element).focus();
    field(element).value = "Ann";
    for (let taps = 0; taps < 3; taps++) {
      expect(send(element)).toBe(false);
      await settled();
    }
    expect(button(element).getAttribute("aria-busy")).toBe("true");
    expect(paid).not.toHaveBeenCalled();
    arrive();
    await settled();
    expect(isFallback(element)).toBe(false);
    expect(paid.mock.calls).toEqual([["Ann"]]);
    expect(document.activeElement, "the field keeps its focus").toBe(field(element));
  });

  test("typing goes on in the island, with the same selection", async () => {
    const { load, arrive } = late();
    const element = island(load, "use", words);
    await settled();
    field(element).focus();
    field(element).value = "Ann";
    field(element).setSelectionRange(1, 3);
    arrive();
    await settled();
    expect(isFallback(element)).toBe(false);
    expect(document.activeElement).toBe(field(element));
    expect(field(element)).toMatchObject({ value: "Ann", selectionStart: 1, selectionEnd: 3 });
  });

  test("presses the very button of the island that was pressed, of two with one name", async () => {
    const component = () =>
      ["Google Pay", "Apple Pay"].map((wallet) => (
        <button key={wallet} type="button" name="wallet" onClick={() => paid(wallet)}>
          {wallet}
        </button>
      ));
    const element = island(async () => ({ default: component as never, mount }), "interact", words);
    button(element).outerHTML = '<button name="wallet">Google Pay</button><button name="wallet">Apple Pay</button>';
    send(element, element.querySelector<HTMLButtonElement>("button:nth-of-type(2)") ?? undefined);
    await settled();
    expect(paid.mock.calls).toEqual([["Apple Pay"]]);
  });

  test("fetches the chunk, even if nothing else did", async () => {
    const element = island(async () => chunk, "interact", words);
    expect(send(element)).toBe(false);
    await settled();
    expect(paid).toHaveBeenCalledOnce();
  });

  test("says that the chunk did not arrive, and tries again", async () => {
    const load = vi.fn(async () => chunk);
    for (let fails = 0; fails < 2; fails++) load.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    const element = island(load, "interact", words);
    for (let fails = 0; fails < 2; fails++) {
      expect(send(element)).toBe(false);
      await settled();
      expect(isFallback(element)).toBe(true);
      expect(button(element).hasAttribute("aria-busy")).toBe(false);
      expect(said(element)).toEqual([words]);
    }
    expect(send(element)).toBe(false);
    expect(said(element)).toEqual([]);
    await settled();
    expect(paid).toHaveBeenCalledOnce();
    expect(load).toHaveBeenCalledTimes(3);
  });

  test("says so only when nothing is being pressed", async () => {
    let fail = () => {};
    const element = island(() => new Promise((_, reject) => (fail = () => reject(new TypeError()))), "interact", words);
    send(element);
    press(button(element));
    fail();
    await settled();
    expect(said(element)).toEqual([]);
    release(document.body);
    await settled();
    expect(said(element)).toEqual([words]);
  });

  test("says nothing about a chunk that nobody waits for", async () => {
    const element = island(() => Promise.reject(new TypeError("Failed to fetch")), "use", words);
    await settled();
    expect(said(element)).toEqual([]);
  });

  test.each(["use", "interact"] as const)("says so, too, when the island has failed, fetched on %s", async (when) => {
    const failing = () => {
      throw new Error("broken");
    };
    const element = island(async () => ({ default: failing, mount }), when, words);
    if (when === "use") await settled();
    for (let taps = 0; taps < 2; taps++) {
      expect(send(element)).toBe(false);
      await settled();
      expect(said(element)).toEqual([words]);
      expect(button(element).hasAttribute("aria-busy")).toBe(false);
    }
  });

  test("forgets the press if it leaves the page", async () => {
    const { load, arrive } = late();
    const element = island(load, "interact", words);
    send(element);
    element.remove();
    await settled();
    document.body.append(element);
    button(element).focus();
    await settled();
    arrive();
    await settled();
    expect(isFallback(element)).toBe(false);
    expect(paid).not.toHaveBeenCalled();
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
    const { load, arrive } = late();
    const loaded = vi.fn(load);
    const element = island(loaded);
    await settled();
    element.remove();
    document.body.append(element);
    await settled();
    arrive();
    await settled();
    expect(loaded).toHaveBeenCalledTimes(1);
    expect(element.querySelectorAll("form")).toHaveLength(1);
  });

  test("a chunk that arrives too late does nothing", async () => {
    const { load, arrive } = late();
    const element = island(load);
    await settled();
    element.remove();
    arrive();
    await settled();
    expect(isFallback(element)).toBe(true);
  });
});
