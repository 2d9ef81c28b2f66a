import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const htmx = { swap: vi.fn(), trigger: vi.fn() };

/** Stream replaces the browser's EventSource. */
class Stream {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static opened: Stream[] = [];
  readyState = Stream.CONNECTING;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onerror?: () => void;
  beat = (_: { data: string }) => {};

  addEventListener(_: "beat", heard: (event: { data: string }) => void) {
    this.beat = heard;
  }

  constructor(readonly url: string) {
    Stream.opened.push(this);
  }

  close() {
    this.readyState = Stream.CLOSED;
  }

  /** becomes changes the stream's state as a browser does. */
  becomes(state: number) {
    this.readyState = state;
    if (state === Stream.OPEN) this.onopen?.();
    else this.onerror?.();
  }
}

/** page shows a payment in a state; without a stream the page names none. */
function page(state: string, events = "/pos/shop/trx/events") {
  document.body.innerHTML = `<section id="payment" data-state="${state}"${events && ` data-events="${events}"`}></section>`;
}

/** asks reports whether a poll that is due now goes out. */
function asks(): boolean {
  const question = new CustomEvent("htmx:before:request", { bubbles: true, cancelable: true });
  return document.querySelector("#payment")?.dispatchEvent(question) ?? false;
}

const last = () => Stream.opened.at(-1) as Stream;
let listen: typeof import("./live").listen;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Stream);
  Stream.opened = [];
  htmx.swap.mockReset();
  htmx.trigger.mockReset();
  vi.resetModules();
  ({ listen } = await import("./live"));
});
afterEach(() => {
  page("completed", "");
  listen(htmx as never);
  vi.useRealTimers();
});

/** answers gives a poll an answer with a status. */
function answers(status: number) {
  document.dispatchEvent(new CustomEvent("htmx:after:request", { detail: { ctx: { response: { status } } } }));
}

test("after 15 s without the server the page says so, until it answers", () => {
  const lost = () => document.querySelector("#payment")?.hasAttribute("data-lost");
  page("status");
  listen(htmx as never);
  last().becomes(Stream.OPEN);
  last().becomes(Stream.CONNECTING);
  for (const [pause, away] of [
    [5_000, false],
    [10_000, false],
    [1, true],
  ] as const) {
    vi.advanceTimersByTime(pause);
    expect(asks()).toBe(true);
    expect(lost()).toBe(away);
  }
  answers(503);
  expect(lost()).toBe(true);
  answers(200);
  expect(lost()).toBe(false);
  vi.advanceTimersByTime(15_001);
  asks();
  last().becomes(Stream.OPEN);
  expect(lost()).toBe(false);
  for (let beats = 0; beats < 5; beats++) {
    vi.advanceTimersByTime(15_000);
    last().beat({ data: "1" });
    asks();
    expect(lost()).toBe(false);
  }
  vi.advanceTimersByTime(45_001); // three beats are missing
  asks();
  expect(lost()).toBe(true);
});

test("when a stream breaks after a quiet time, the page does not say at once that the server is away", () => {
  page("status");
  listen(htmx as never);
  last().becomes(Stream.OPEN);
  vi.advanceTimersByTime(25_000);
  asks();
  last().becomes(Stream.CONNECTING);
  for (const [pause, away] of [
    [5_000, false],
    [10_001, true],
  ] as const) {
    vi.advanceTimersByTime(pause);
    asks();
    expect(document.querySelector("#payment")?.hasAttribute("data-lost")).toBe(away);
  }
});

test("a page that names no stream opens none (PAY-45)", () => {
  page("form", "");
  listen(htmx as never);
  expect(Stream.opened).toEqual([]);
  expect(asks()).toBe(true);
});

test("an event replaces the payment, and the stream stays open (PAY-44)", () => {
  page("waiting");
  listen(htmx as never);
  last().becomes(Stream.OPEN);
  last().onmessage?.({ data: "<section>paid</section>" });
  const target = document.querySelector("#payment");
  expect(htmx.swap).toHaveBeenCalledWith({
    text: "<section>paid</section>",
    target,
    sourceElement: target,
    swap: "outerMorph",
  });
  page("status");
  listen(htmx as never);
  expect(Stream.opened.length).toBe(1);
});

test("a payment with nothing more to follow closes the stream", () => {
  page("waiting");
  listen(htmx as never);
  last().becomes(Stream.OPEN);
  page("completed", "");
  listen(htmx as never);
  expect(last().readyState).toBe(Stream.CLOSED);
  vi.runAllTimers();
  expect(Stream.opened.length).toBe(1);
});

describe("polling", () => {
  test("goes on until the stream is open, and again when it breaks", () => {
    page("waiting");
    listen(htmx as never);
    expect(asks()).toBe(true);
    last().becomes(Stream.OPEN);
    expect(asks()).toBe(false);
    last().becomes(Stream.CONNECTING);
    expect(asks()).toBe(true);
  });

  test("is rare while the stream is open", () => {
    page("status");
    listen(htmx as never);
    last().becomes(Stream.OPEN);
    vi.advanceTimersByTime(29_999);
    expect(asks()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(asks()).toBe(true);
    expect(asks()).toBe(false);
  });

  test("moves a success on, whatever the stream does (PAY-35)", () => {
    page("success");
    listen(htmx as never);
    last().becomes(Stream.OPEN);
    expect(asks()).toBe(true);
  });
});

test("a refused stream is tried again, but not at once", () => {
  page("waiting");
  listen(htmx as never);
  last().becomes(Stream.CLOSED);
  vi.advanceTimersByTime(14_999);
  expect(Stream.opened.length).toBe(1);
  vi.advanceTimersByTime(15_001);
  expect(Stream.opened.length).toBe(2);
});

test("a stream that is refused again and again is tried ever more rarely, until it opens", () => {
  page("waiting");
  listen(htmx as never);
  for (const pause of [15_000, 30_000, 60_000, 120_000, 120_000]) {
    const before = Stream.opened.length;
    last().becomes(Stream.CLOSED);
    vi.advanceTimersByTime(pause - 1);
    expect(Stream.opened.length).toBe(before);
    for (let more = 0; more <= pause && Stream.opened.length === before; more += 1000) vi.advanceTimersByTime(1000);
    expect(Stream.opened.length).toBe(before + 1);
  }
  last().becomes(Stream.OPEN);
  last().becomes(Stream.CLOSED);
  vi.advanceTimersByTime(30_000);
  expect(Stream.opened.length).toBe(7);
});

test.each(["online", "payment:look"])("%s polls at once, for anything that was missed", (name) => {
  page("status");
  listen(htmx as never);
  last().becomes(Stream.OPEN);
  (name === "online" ? window : document).dispatchEvent(new Event(name));
  expect(Stream.opened.length).toBe(2);
  expect(htmx.trigger).toHaveBeenCalledWith(document.querySelector("#payment"), "every");
});

test("the browser itself reopens a broken stream", () => {
  page("waiting");
  listen(htmx as never);
  last().becomes(Stream.OPEN);
  for (let tries = 0; tries < 3; tries++) {
    last().becomes(Stream.CONNECTING);
    vi.advanceTimersByTime(10_000);
  }
  expect(Stream.opened.length).toBe(1);
});

test("a stream that does not open is opened again, for the browser may have asked on a dead connection", () => {
  page("status");
  listen(htmx as never);
  const dead = last();
  vi.advanceTimersByTime(10_000);
  expect(Stream.opened.length).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(Stream.opened.length).toBe(2);
  expect(dead.readyState).toBe(Stream.CLOSED);
});

test("a stream that misses two beats has died, and is opened again", () => {
  page("status");
  listen(htmx as never);
  last().becomes(Stream.OPEN);
  for (let beats = 0; beats < 4; beats++) {
    vi.advanceTimersByTime(15_000);
    last().beat({ data: "1" });
  }
  expect(Stream.opened.length).toBe(1);
  const dead = last();
  vi.advanceTimersByTime(30_000);
  expect(Stream.opened.length).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(Stream.opened.length).toBe(2);
  expect(dead.readyState).toBe(Stream.CLOSED);
});

test("a page that is shown again polls at once", () => {
  page("status");
  listen(htmx as never);
  const before = last();
  before.becomes(Stream.OPEN);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(before.readyState).toBe(Stream.CLOSED);
  expect(Stream.opened.length).toBe(2);
  expect(htmx.trigger).toHaveBeenCalledWith(document.querySelector("#payment"), "every");
});
