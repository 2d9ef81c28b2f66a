import { kept } from "./kept";
import { register } from "./register";
import { able, subscribe } from "./subscribe";

/** Fired on the document when the order may have changed. */
const look = "payment:look";

const words = {
  sound: "Sound",
  told: "This device will tell you when it is ready, even with this page closed.",
  rings: "Keep this page open: it rings when it is ready.",
  refused: "Notifications are off for this site, so keep this page open. Your browser’s settings can turn them on.",
  failed: "That did not work, but keep this page open: it rings when it is ready.",
};

/** Order holds what #tell says about the order and its push project. */
interface Order {
  readonly url: string;
  readonly project: string;
  readonly key: string;
}

let hearing = false;
let offered: Element | undefined;

/**
 * offer makes #bell, which switches on a sound, ask for messages too where the browser has them, and #tell say what came of it. From then on
 * the button is the sound's switch.
 */
export async function offer(): Promise<void> {
  const place = document.querySelector<HTMLElement>("#tell");
  const bell = document.querySelector<HTMLButtonElement>("#bell");
  if (!place || !bell || bell === offered) return;
  offered = bell;
  const { url, project, key, told } = place.dataset;
  const order = able() && url && project && key ? { url, project, key } : undefined;
  bell.addEventListener("click", () => {
    bell.textContent = words.sound;
    if (bell.dataset.on === "false" || place.textContent === words.told) return;
    if (order) void ask(place, bell, order);
    else say(place, words.rings);
  });
  if (!order) return;
  bell.hidden = false;
  refreshWhenTold();
  if (Notification.permission !== "granted") return;
  const here = kept();
  if (!here) return;
  const known = told !== "" && told === (await hash(here.token));
  if (known) {
    bell.textContent = words.sound;
    bell.dataset.on ??= "false";
    say(place, words.told);
  }
  const token = await register(order.project, await subscribe(order.key)).catch(() => here.token);
  if (known && token !== here.token) await attach(order, token);
}

/** ask asks for the permission, which browsers grant only after a tap. */
async function ask(place: HTMLElement, bell: HTMLButtonElement, order: Order): Promise<void> {
  if (bell.ariaBusy === "true") return;
  bell.ariaBusy = "true";
  try {
    if ((await Notification.requestPermission()) === "granted") {
      await attach(order, await register(order.project, await subscribe(order.key)));
      say(place, words.told);
    } else {
      say(place, words.refused);
    }
  } catch {
    say(place, words.failed);
  } finally {
    bell.ariaBusy = null;
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

function say(place: HTMLElement, text: string): void {
  place.textContent = text;
  place.hidden = false;
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
