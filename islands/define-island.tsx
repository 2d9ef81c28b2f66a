import type { ComponentType } from "react";
import { type Fallback, readFallback } from "./fallback";
import { firstUse } from "./first-use";
import { loadChunk } from "./load-chunk";

/** When an island's script is fetched: once the page is used or idle, or only when the island is touched, which always fetches it. */
export type When = "use" | "idle" | "interact";

export interface IslandModule<Props> {
  mount: typeof import("./react-root").mount;
  /** The server's props arrive as one object, because React reserves names such as key. */
  default: ComponentType<{ props: Props; fallback: Fallback }>;
}

/**
 * defineIsland makes <name> an island: it holds its props as JSON in a script element, then a fallback rendered by the server
 * that works by itself. When the chunk has arrived, React replaces the fallback and keeps typed values and the focus. A
 * chunk that does not arrive leaves the fallback in place and is fetched again at the next touch.
 */
export function defineIsland<Props extends object>(
  name: string,
  load: () => Promise<IslandModule<Props>>,
  { when }: { when: When },
): void {
  class Island extends HTMLElement {
    #stopWaiting: (() => void) | undefined;
    #unmount: (() => void) | undefined;

    connectedCallback() {
      if (this.#unmount || this.#stopWaiting) return; // moved within the page
      this.#await(when);
    }

    /** A morph removes an element and puts it back within one task, so only an element that stays out is unmounted. */
    disconnectedCallback() {
      queueMicrotask(() => {
        if (this.isConnected) return;
        this.#stopWaiting?.();
        this.#stopWaiting = undefined;
        this.#unmount?.();
        this.#unmount = undefined;
      });
    }

    #await(moment: When) {
      this.#stopWaiting = waitFor(this, moment, () => {
        void this.#start();
      });
    }

    async #start() {
      let calledOff = false;
      this.#stopWaiting = () => {
        calledOff = true;
      };
      try {
        preload(this.dataset.scripts);
        const island = await loadChunk(load);
        // Evaluating React and rendering with it are two tasks, so that a tap in between does not wait for both.
        await pause();
        if (calledOff) return;
        this.#stopWaiting = waitUntilQuiet(this, () => {
          this.#stopWaiting = undefined;
          this.#takeOver(island);
        });
      } catch (error) {
        reportError(error);
        if (!calledOff) this.#await("interact");
      }
    }

    #takeOver({ default: component, mount }: IslandModule<Props>) {
      const script = this.querySelector<HTMLScriptElement>(':scope > script[type="application/json"]');
      const props = JSON.parse(script?.textContent ?? "{}") as Props;
      const fallback = [...this.childNodes].filter((node) => node !== script);
      const focused = focusWithin(this);
      const host = document.createElement("div");
      host.className = "island";
      host.style.display = "contents"; // the layout has the island where the fallback was

      const putBack = () => {
        host.remove();
        this.append(...fallback);
        this.removeAttribute("hx-morph-skip");
      };
      const had = { props, fallback: readFallback(this) };
      for (const node of fallback) node.remove();
      this.append(host);
      const root = mount(host, component, had, (error) => {
        putBack();
        reportError(error);
      });
      if (!root) return;
      // The server must not replace what a person is typing.
      this.setAttribute("hx-morph-skip", "");
      focused?.(host);
      this.#unmount = () => {
        root.unmount();
        putBack();
      };
    }
  }
  if (!customElements.get(name)) customElements.define(name, Island);
}

/** preload fetches an island's imports together with the island, before the browser has read which they are. */
function preload(scripts = "") {
  for (const href of scripts.split(" ").filter(Boolean)) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** waitFor calls back once, when the moment comes or the element is touched; it returns a function that cancels it. */
function waitFor(element: HTMLElement, moment: When, callback: () => void): () => void {
  const stop = new AbortController();
  const done = () => {
    if (stop.signal.aborted) return;
    stop.abort();
    callback();
  };
  for (const touch of ["pointerover", "pointerdown", "focusin"]) {
    element.addEventListener(touch, done, { signal: stop.signal, passive: true });
  }
  if (moment === "use") firstUse(done, stop.signal);
  if (moment === "idle" && !sparing()) afterLoad(() => whenIdle(done), stop.signal);
  return () => stop.abort();
}

/** sparing reports whether the guest's connection is too slow or costly to fetch anything unrequested. */
function sparing(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || /2g/.test(connection?.effectiveType ?? "");
}

function afterLoad(callback: () => void, signal: AbortSignal) {
  if (document.readyState === "complete") callback();
  else addEventListener("load", callback, { once: true, signal });
}

function whenIdle(callback: () => void) {
  if ("requestIdleCallback" in window) requestIdleCallback(callback, { timeout: 2000 });
  else setTimeout(callback, 200); // Safari
}

/**
 * waitUntilQuiet calls back as soon as nobody is typing into a field of the element or pressing something in it, so that
 * neither a keystroke nor a tap is lost. It leaves alone a form that was sent, because its page is about to go.
 */
function waitUntilQuiet(element: HTMLElement, callback: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let pressed = false;
  let sent = false;
  const attempt = () => {
    if (
      signal.aborted ||
      pressed ||
      sent ||
      (element.contains(document.activeElement) && document.activeElement?.matches(fields))
    ) {
      return;
    }
    stop.abort();
    callback();
  };
  element.addEventListener("pointerdown", () => (pressed = true), { signal });
  element.addEventListener("submit", () => (sent = true), { signal });
  // At once if the focus goes nowhere: until a later task, keystrokes would be lost.
  element.addEventListener("focusout", (event) => (event.relatedTarget ? setTimeout(attempt) : attempt()), {
    signal,
  });
  const release = () => {
    pressed = false;
    // The click of a tap comes after its release.
    setTimeout(attempt, 50);
  };
  addEventListener("pointerup", release, { signal });
  addEventListener("pointercancel", release, { signal });
  attempt();
  return () => stop.abort();
}

const fields = "input:not([type=hidden]), select, textarea";

/** focusWithin remembers which control has the focus, and returns a function that focuses its successor. */
function focusWithin(element: HTMLElement): ((host: HTMLElement) => void) | undefined {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || active === element || !element.contains(active)) return undefined;
  const { id } = active;
  const name = active.getAttribute("name");
  const words = active.textContent.trim();
  return (host) => {
    const heirs = [...host.querySelectorAll<HTMLElement>("a, button, input, select, textarea, [tabindex]")];
    const heir =
      heirs.find((one) => id !== "" && one.id === id) ??
      heirs.find((one) => name !== null && one.getAttribute("name") === name) ??
      heirs.find((one) => words !== "" && one.textContent.trim() === words);
    heir?.focus({ preventScroll: true });
  };
}
