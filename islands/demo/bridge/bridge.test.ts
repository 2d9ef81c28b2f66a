// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Entry, log } from "./calls";
import { cents, payment } from "./payment";
import { type Run, type Screen, start } from "./run";
import { type Call, fallback, type Status, terminalService } from "./service";
import { terminalBridge } from "./terminal";

const origin = "http://localhost:3015";
const ann = { firstName: "Ann", lastName: "Lee", phone: "1", email: "ann@example.com" };
const ours = payment(ann, 500, "Terminal demo", 1_746_093_600_000);

/** The service's next answers: a status, a part of one, a text that is not JSON, or no answer at all. */
type Answer = Partial<Status> | string | "down";
let answers: (url: string) => Answer;
let asked: { url: string; init: RequestInit | undefined }[];
let screens: Screen[];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  screens = [];
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push({ url, init });
    const answer = answers(url);
    if (answer === "down") throw new TypeError("Failed to fetch");
    return new Response(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
});
afterEach(() => vi.useRealTimers());

const paths = () => asked.map(({ url }) => url.replace(origin, ""));
const shown = () => screens.map((screen) => ("status" in screen ? `${screen.at}: ${screen.status.status}` : screen.at));
const pay = (): Run => start(terminalBridge(terminalService(origin)), ours, (screen) => screens.push(screen));

/** says answers with these statuses one after another, and repeats the last one; init and pay get ready. */
function says(...statuses: string[]) {
  let polls = -1;
  answers = (url) => {
    if (!url.includes("/status/")) return { connected: true, status: "connecting" };
    polls++;
    return { connected: true, status: polls === 0 ? "ready" : (statuses[polls - 1] ?? statuses.at(-1) ?? "") };
  };
}

describe("the service client", () => {
  const service = terminalService(origin);
  test.each([
    ["init (BRIDGE-20)", () => service.init(), "/status/"],
    ["status (BRIDGE-21)", () => service.status(), "/status/"],
    ["cancel (BRIDGE-22)", () => service.cancel("17"), "/cancel/?ref=17"],
    ["complete ignores its reference (BRIDGE-23)", () => service.complete("17"), "/status/"],
    ["pay (BRIDGE-24)", () => service.pay("17", "5.00"), "/pay/?ref=17&amount=5.00"],
    ["what is odd is encoded (BRIDGE-19)", () => service.cancel("a b&c"), "/cancel/?ref=a+b%26c"],
  ])("%s: a GET, whose answer is returned (BRIDGE-17 BRIDGE-18)", async (_, call, path) => {
    answers = () => ({ connected: true, status: "ready", amount: 7 });
    expect(await call()).toEqual({ connected: true, status: "ready", amount: 7 });
    expect(paths()).toEqual([path]);
    expect(asked[0]?.init?.method ?? "GET").toBe("GET");
    expect(asked[0]?.init?.headers).toEqual({ "Content-Type": "application/json" });
  });

  test.each([
    ["nothing answers", "down"],
    ["a page answers", "<h1>It works!</h1>"],
    ["nothing is in the answer", ""],
    ["a number answers", "3"],
    ["null answers", "null"],
    ["the service refuses", '{"error":"amount"}'],
  ])("where %s, each call returns the fallback (BRIDGE-25 BRIDGE-26)", async (_, answer) => {
    answers = () => answer;
    const want = { connected: true, status: "ready", trxRef: "abcxyz", currency: "AUD", amount: 3, trx: null };
    for (const got of [await service.init(), await service.pay("1", "5.00"), await service.cancel("1")]) {
      expect(got).toEqual(want);
      expect(got).toBe(fallback);
    }
  });

  test("the service has five calls, the bridge four, and init says whether a terminal is connected (BRIDGE-30)", async () => {
    const bridge = terminalBridge(service);
    expect(Object.keys(service)).toEqual(["init", "pay", "status", "cancel", "complete"]);
    expect(Object.keys(bridge)).toEqual(["init", "pay", "status", "cancel"]);
    answers = () => ({ connected: false });
    expect(await bridge.init()).toBe(false);
    answers = () => "down";
    expect(await bridge.init()).toBe(true);
  });
});

test("the payload (BRIDGE-29 BRIDGE-15 CONST-01)", () => {
  expect(ours).toEqual({
    ...ann,
    ref: "1746093600000",
    currency: "AUD",
    amount: "5.00",
    summary: "Terminal demo",
  });
});

test.each([
  ["5.00", 500],
  ["5", 500],
  ["5.5", 550],
  ["0.29", 29],
  ["999999.99", 99_999_999],
  ["0", 0],
  ["-5", 0],
  ["5.001", 0],
  ["1e3", 0],
  ["1,000.00", 0],
  ["1000000", 0],
  ["", 0],
])("an amount typed as %j is %d cents", (typed, want) => expect(cents(typed)).toBe(want));

describe("a payment", () => {
  test("is checked, sent once, and polled until it has ended (BRIDGE-09 BRIDGE-10 BRIDGE-11 BRIDGE-12 BRIDGE-31)", async () => {
    says("ready", "connecting", "processing", "approved");
    pay();
    expect(shown()).toEqual(["connecting"]);
    await vi.advanceTimersByTimeAsync(499);
    expect(paths()).toEqual(["/status/", "/pay/?ref=1746093600000&amount=5.00", "/status/"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(paths().slice(3)).toEqual(["/status/"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(paths().slice(3)).toEqual(["/status/", "/status/", "/status/"]);
    expect(shown()).toEqual([
      "connecting",
      "paying: ready",
      "paying: connecting",
      "paying: processing",
      "finished: approved",
    ]);
  });

  test("any other status ends the payment (BRIDGE-12)", async () => {
    says("processing", "out of paper");
    pay();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(shown().at(-1)).toBe("finished: out of paper");
  });

  test("without a device nothing is sent, and after 2 s it may be tried again (BRIDGE-07 BRIDGE-08 BRIDGE-31)", async () => {
    answers = () => ({ connected: false, status: "ready" });
    pay();
    await vi.advanceTimersByTimeAsync(1999);
    expect(shown()).toEqual(["connecting", "no device"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(shown().at(-1)).toBe("idle");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(paths()).toEqual(["/status/"]);
  });

  test("Cancel names the payment, stops polling and shows the payment's state (BRIDGE-14 BRIDGE-27)", async () => {
    says("processing");
    const run = pay();
    await vi.advanceTimersByTimeAsync(700);
    run.cancel();
    expect(shown().at(-1)).toBe("idle");
    answers = () => ({ connected: true, status: "cancelled" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(paths().slice(4)).toEqual(["/cancel/?ref=1746093600000"]);
    expect(screens.at(-1)).toEqual({ at: "idle", cancelled: { connected: true, status: "cancelled" } });
  });

  test("a payment on its way is cancelled only once it has arrived; otherwise it would start after its end (BRIDGE-14)", async () => {
    let arrive = (_: Response) => {};
    const arrival = new Promise<Response>((resolve) => {
      arrive = resolve;
    });
    says("processing");
    const ask = fetch;
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
      const answer = ask(url, init);
      return url.includes("/pay/") ? arrival : answer;
    });
    const run = pay();
    await vi.advanceTimersByTimeAsync(10);
    run.cancel();
    await vi.advanceTimersByTimeAsync(10);
    expect(paths().at(-1)).toContain("/pay/");
    arrive(new Response("{}"));
    await vi.advanceTimersByTimeAsync(10);
    expect(paths().at(-1)).toContain("/cancel/");
  });

  test("a silent service ends the payment after 120 s (BRIDGE-25 BRIDGE-27)", async () => {
    answers = () => "down";
    pay();
    await vi.advanceTimersByTimeAsync(119_400);
    expect(screens.at(-1)).toEqual({ at: "paying", status: fallback });
    await vi.advanceTimersByTimeAsync(1000);
    expect(screens.at(-1)).toEqual({ at: "finished", status: fallback });
    const { length } = asked;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(length);
  });

  test("a service that sometimes answers keeps the payment going (BRIDGE-27)", async () => {
    let polls = 0;
    answers = () => (++polls % 200 === 0 ? { connected: true, status: "processing" } : "down");
    pay();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(screens.at(-1)?.at).toBe("paying");
  });

  test("the outcome of another payment at the terminal does not count for this one", async () => {
    answers = (url) => ({ connected: true, status: url.includes("/pay/") ? "busy" : "approved" });
    pay();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(shown()).toEqual(["connecting", "finished: busy"]);
  });

  test("a page that goes away stops polling and cancels nothing", async () => {
    says("processing");
    const run = pay();
    await vi.advanceTimersByTimeAsync(10);
    const { length } = asked;
    run.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(length);
  });
});

test("the log counts equal calls with equal answers, and keeps fifty", () => {
  const call = (url: string, status: string): Call => ({
    url,
    code: 200,
    took: 1,
    answer: { ...fallback, status },
  });
  let entries: readonly Entry[] = [];
  for (const status of ["ready", "ready", "processing", "ready"]) entries = log(entries, call("/status/", status));
  expect(entries.map(({ last, times }) => `${last.answer.status} ${times}`)).toEqual([
    "ready 1",
    "processing 1",
    "ready 2",
  ]);
  for (let i = 0; i < 100; i++) entries = log(entries, call(`/status/?${i}`, "ready"));
  expect(entries).toHaveLength(50);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(50);
});
