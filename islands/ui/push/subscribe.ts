import type { Details } from "./kept";

/** The worker's scope contains no page (PUSH-10), because it only shows messages. */
const scope = "/push-scope";

/** able reports whether this browser can receive push messages, or could if the person allows it. */
export function able(): boolean {
  return (
    isSecureContext &&
    "serviceWorker" in navigator &&
    "PushManager" in window &&
    "Notification" in window &&
    Notification.permission !== "denied"
  );
}

/** subscribe asks the browser for a subscription under a key, and drops one made under another key. */
export async function subscribe(key: string): Promise<Details> {
  const worker = await navigator.serviceWorker.register("/sw.js", { scope });
  await active(worker);
  let subscription = await worker.pushManager.getSubscription();
  const madeWith = subscription?.options.applicationServerKey;
  if (subscription && madeWith && encode(madeWith) !== key) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decode(key) });
  const part = (name: PushEncryptionKeyName) => encode(subscription.getKey(name) ?? new ArrayBuffer(0));
  return { endpoint: subscription.endpoint, auth: part("auth"), p256dh: part("p256dh"), applicationPubKey: key };
}

/** active waits until a worker is active; before that, subscribing fails. */
function active({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  if (active || !worker) return Promise.resolve();
  return new Promise((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      else if (worker.state === "redundant") reject(new Error("the worker was not installed"));
    });
  });
}

function encode(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
