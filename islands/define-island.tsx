import type { ComponentType } from "react";
import { type Fallback, readFallback } from "./fallback";
import { firstUse } from "./first-use";
import { loadChunk } from "./load-chunk";
import { afterPress, watchPresses } from "./press";

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
 *
 * A form in the fallback that has to wait for its island holds a hidden data-unloaded, which says that the island could not be loaded.
 * Such a form is never sent: once the island is there, the same button of the island is pressed. Nor does the island wait for its
 * fields to be left: typing goes on in the island's.
 */
export function defineIsland<Props extends object>(
  name: string,
  load: () => Promise<IslandModule<Props>>,
  { when }: { when: When },
): void {
  watchPresses();
  class Island extends HTMLElement {
    #stopWaiting: (() => void) | undefined;
    #unmount: (() => void) | undefined;

    constructor() {
      super();
      // Before the listener that takes a form as sent.
      this.addEventListener("submit", (event) => {
        hold(event);
        if (!this.#stopWaiting) giveUp(this); // the island has failed
      });
    }

    connectedCallback() {
      if (this.#unmount || this.#stopWaiting) return; // moved within the page
      this.#await(when);
    }

    /** A morph removes an element and puts it back within one task, so only an element that stays out is unmounted. */
    disconnectedCallback() {
      queueMicrotask(() => {
        if (this.isConnected) return;
        held(this)?.removeAttribute("aria-busy");
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
      const stop = new AbortController();
      this.#stopWaiting = () => stop.abort();
      try {
        preload(this.dataset.scripts);
        const island = await loadChunk(load);
        // Evaluating React and rendering with it are two tasks, so that a tap in between does not wait for both.
        await pause();
        if (stop.signal.aborted) return;
        waitUntilQuiet(this, stop, () => {
          this.#stopWaiting = undefined;
          this.#takeOver(island);
        });
      } catch (error) {
        reportError(error);
        giveUp(this);
        if (!stop.signal.aborted) this.#await("interact");
      }
    }

    #takeOver({ default: component, mount }: IslandModule<Props>) {
      const script = this.querySelector<HTMLScriptElement>(':scope > script[type="application/json"]');
      const props = JSON.parse(script?.textContent ?? "{}") as Props;
      const fallback = [...this.childNodes].filter((node) => node !== script);
      const focused = focusWithin(this);
      const from = focused?.selectionStart;
      const to = focused?.selectionEnd;
      focused?.blur(); // a word that is still being composed is then in the field
      const pressed = held(this);
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
        giveUp(this);
      });
      if (!root) return;
      pressed?.removeAttribute("aria-busy");
      // The server must not replace what a person is typing.
      this.setAttribute("hx-morph-skip", "");
      const goesOn = focused && heir(focused, host);
      goesOn?.focus({ preventScroll: true });
      if (from != null && to != null) goesOn?.setSelectionRange(from, to);
      this.#unmount = () => {
        root.unmount();
        putBack();
      };
      if (pressed) heir(pressed, host)?.click();
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
  for (const touch of ["pointerover", "pointerdown", "focusin", "submit"]) {
    element.addEventListener(touch, done, { signal: stop.signal });
  }
  if (moment === "use") firstUse(done, stop.signal);
  if (moment === "idle" && !sparing()) afterLoad(() => whenIdle(done), stop.signal);
  return () => stop.abort();
}

/** sparing reports whether the guest's connection is too slow or costly to fetch anything unrequested. */
export function sparing(): boolean {
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

/** hold keeps a form that has to wait for its island from being sent, and shows at its button that the press is not forgotten. */
function hold(event: SubmitEvent) {
  const form = event.target as HTMLFormElement;
  const unloaded = unloadedIn(form);
  if (!unloaded) return;
  event.preventDefault();
  unloaded.hidden = true;
  if (!held(form)) event.submitter?.setAttribute("aria-busy", "true");
}

/** giveUp says that there is no island, if a press waits for it. */
function giveUp(element: HTMLElement) {
  const button = held(element);
  const unloaded = unloadedIn(element);
  if (!button || !unloaded) return;
  button.removeAttribute("aria-busy");
  afterPress(() => {
    unloaded.hidden = !!held(element); // that press may have tried again
  });
}

/** held finds the button whose press waits for the island. */
function held(within: HTMLElement): Control | null {
  return within.querySelector("button[aria-busy=true]");
}

function unloadedIn(within: HTMLElement): HTMLElement | null {
  return within.querySelector("[data-unloaded]");
}

/**
 * waitUntilQuiet calls back as soon as nobody is typing into a field of the element or pressing something, so that
 * neither a keystroke nor a tap is lost. It leaves alone a form that was sent, because its page is about to go. Typing into a form
 * that has to wait for the island does not keep it away.
 */
function waitUntilQuiet(element: HTMLElement, stop: AbortController, callback: () => void) {
  const { signal } = stop;
  let sent = false;
  const attempt = () =>
    afterPress(() => {
      if (signal.aborted || sent || (focusWithin(element)?.matches(fields) && !unloadedIn(element))) return;
      stop.abort();
      callback();
    });
  const submitted = (event: Event) => {
    if (event.defaultPrevented) setTimeout(attempt);
    else sent = true;
  };
  element.addEventListener("submit", submitted, { signal });
  // At once if the focus goes nowhere: until a later task, keystrokes would be lost.
  element.addEventListener("focusout", (event) => (event.relatedTarget ? setTimeout(attempt) : attempt()), {
    signal,
  });
  attempt();
}

const fields = "input:not([type=hidden]), select, textarea";

/** Control is what can have the focus; only fields have all of it. */
type Control = HTMLInputElement;

/** focusWithin returns the control of the element that has the focus. */
function focusWithin(element: HTMLElement): Control | undefined {
  const active = document.activeElement;
  return active !== element && element.contains(active) ? (active as Control) : undefined;
}

/** heir finds the island's control that takes the place of one in the fallback. Buttons are known by their words: several may have one name. */
function heir(of: Control, host: HTMLElement): Control | undefined {
  const heirs = [...host.querySelectorAll<Control>("a, button, input, select, textarea, [tabindex]")];
  const known = ({ name, textContent }: Control) => textContent.trim() || name;
  return heirs.find(({ id }) => id && id === of.id) ?? heirs.find((one) => known(of) && known(one) === known(of));
}
