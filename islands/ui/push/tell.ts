import { kept } from "./kept";
import { register } from "./register";
import { able, subscribe } from "./subscribe";

/** Fired on the document when the order may have changed. */
const look = "payment:look";

const words = {
  ask: "Tell me when it is ready",
  told: "This device will tell you when it is ready, even with this page closed.",
  refused: "Notifications are off for this site. Your browser’s settings can turn them on. This page stays up to date.",
  failed: "That did not work. Please try again. This page stays up to date either way.",
};

/** Order holds what #tell says about the order and its push project. */
interface Order {
  readonly url: string;
  readonly project: string;
  readonly key: string;
}

let hearing = false;

/** offer fills #tell with a button, or says that this browser already gets messages. If neither helps, #tell stays hidden. */
export async function offer(): Promise<void> {
  const place = document.querySelector<HTMLElement>("#tell");
  if (!place || place.childElementCount > 0 || !able()) return;
  const { url, project, key, told } = place.dataset;
  if (!url || !project || !key) return;
  const order = { url, project, key };
  place.replaceChildren(button(place, order));
  place.hidden = false;
  refreshWhenTold();
  if (Notification.permission !== "granted") return;
  const here = kept();
  if (!here) return;
  const known = told !== "" && told === (await hash(here.token));
  if (known) say(place, words.told);
  const token = await register(project, await subscribe(key)).catch(() => here.token);
  if (known && token !== here.token) await attach(order, token);
}

function button(place: HTMLElement, order: Order): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button secondary wide";
  made.textContent = words.ask;
  made.addEventListener("click", () => void ask(place, made, order));
  return made;
}

/** ask asks for the permission, which browsers grant only after a tap. */
async function ask(place: HTMLElement, button: HTMLButtonElement, order: Order): Promise<void> {
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  try {
    if ((await Notification.requestPermission()) === "granted") {
      await attach(order, await register(order.project, await subscribe(order.key)));
      say(place, words.told);
    } else {
      say(place, words.refused);
    }
  } catch {
    say(place, words.failed, button);
  } finally {
    button.ariaBusy = null;
  }
}

async function attach({ url }: Order, token: string): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { Prefer: "return=minimal" },
    body: new URLSearchParams({ token }),
  });
  if (!response.ok) throw new Error(`the order does not take the token: ${response.status}`);
}

function say(place: HTMLElement, text: string, ...after: Element[]): void {
  const said = document.createElement("p");
  said.className = "hint";
  said.setAttribute("role", "status");
  said.textContent = text;
  place.replaceChildren(said, ...after);
}

/** refreshWhenTold refreshes the order when the worker says that part of it is ready (PUSH-12). */
function refreshWhenTold(): void {
  if (hearing) return;
  hearing = true;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = data as { type?: unknown; data?: { url?: unknown } } | null;
    const about = message?.data?.url ?? location.pathname;
    if (message?.type === "push" && about === location.pathname) document.dispatchEvent(new Event(look));
  });
  navigator.serviceWorker.startMessages();
}

async function hash(text: string): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
