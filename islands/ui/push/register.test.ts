import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pushToken } from "../../pos/order-basket/create";
import { kept } from "./kept";
import { register } from "./register";

const details = { endpoint: "https://push.example/1", auth: "a", p256dh: "p", applicationPubKey: "k" };
const path = "/api/push/v1/projects/shop/registrations";
const week = 604_800_000;

let calls: { method: string; url: string; body: unknown }[];
let answers: Record<string, Response>;

function answer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  calls = [];
  answers = {};
  let made = 0;
  vi.stubGlobal("fetch", (url: string, { method, body }: { method: string; body?: string }) => {
    calls.push({ method, url, body: body && JSON.parse(body) });
    return Promise.resolve(
      answers[method]?.clone() ?? answer(200, { token: method === "POST" ? `token-${++made}` : "same" }),
    );
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const methods = () => calls.map(({ method }) => method);

test("a first subscription is posted, and its token kept (PUSH-04 PUSH-07 PUSH-08)", async () => {
  expect(await register("shop", details)).toBe("token-1");
  expect(calls).toEqual([{ method: "POST", url: path, body: { web: details } }]);
  expect(kept()?.token).toBe("token-1");
  vi.stubGlobal("Notification", { permission: "granted" });
  expect(pushToken()).toBe("token-1");
});

test("an order is sent without a token if this browser may not get messages (PUSH-13)", async () => {
  expect(pushToken()).toBe("");
  await register("shop", details);
  vi.stubGlobal("Notification", { permission: "denied" });
  expect(pushToken()).toBe("");
});

describe("a token (PUSH-02)", () => {
  test("of 7 days is kept", async () => {
    await register("shop", details);
    vi.advanceTimersByTime(week);
    expect(await register("shop", details)).toBe("token-1");
    expect(methods()).toEqual(["POST"]);
  });

  test("older than that is refreshed, once", async () => {
    await register("shop", details);
    vi.advanceTimersByTime(week + 1);
    expect(await register("shop", details)).toBe("token-1");
    await register("shop", details);
    expect(methods()).toEqual(["POST", "PATCH"]);
    expect(calls[1]).toEqual({ method: "PATCH", url: `${path}/token-1`, body: { web: details } });
  });

  test("that the server forgot is replaced", async () => {
    await register("shop", details);
    vi.advanceTimersByTime(week + 1);
    answers.PATCH = answer(404, { error: { message: "gone" } });
    expect(await register("shop", details)).toBe("token-2");
    expect(methods()).toEqual(["POST", "PATCH", "POST"]);
  });

  test("stays when a refresh fails", async () => {
    await register("shop", details);
    vi.advanceTimersByTime(week + 1);
    answers.PATCH = answer(503, { error: { message: "away" } });
    await expect(register("shop", details)).rejects.toThrow("away");
    expect(kept()?.token).toBe("token-1");
  });
});

test.each(["endpoint", "auth", "p256dh", "applicationPubKey"])(
  "another %s takes the place of the old registration (PUSH-03)",
  async (part) => {
    await register("shop", details);
    expect(await register("shop", { ...details, [part]: "other" })).toBe("token-2");
    expect(methods()).toEqual(["POST", "DELETE", "POST"]);
    expect(calls[1]?.url).toBe(`${path}/token-1`);
  },
);

test("the server's error is thrown, and nothing is stored (PUSH-08)", async () => {
  answers.POST = answer(400, { error: { message: "web.auth is not valid." } });
  await expect(register("shop", details)).rejects.toThrow("web.auth is not valid.");
  expect(kept()).toBeUndefined();
});

test.each(["", "null", "{}", "t [", "t {}", 't {"at":1}', 't {"at":"x"}'])(
  "what is not a registration (%s) counts as none",
  (text) => {
    localStorage.setItem("forecourt.push", text);
    expect(kept()).toBeUndefined();
  },
);
