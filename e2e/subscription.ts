import type { BrowserContext } from "@playwright/test";

// stubSubscribe gives a browser a subscription, because tests cannot reach a push service.
export async function stubSubscribe(context: BrowserContext): Promise<void> {
  const keys = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const point = [...new Uint8Array(await crypto.subtle.exportKey("raw", keys.publicKey))];
  await context.addInitScript((p256dh) => {
    const bytes = { p256dh: new Uint8Array(p256dh).buffer, auth: new Uint8Array(16).buffer };
    PushManager.prototype.getSubscription = () => Promise.resolve(null);
    PushManager.prototype.subscribe = () =>
      Promise.resolve({
        endpoint: "https://push.example.com/send/1",
        getKey: (name: "auth" | "p256dh") => bytes[name],
      } as unknown as PushSubscription);
  }, point);
}
