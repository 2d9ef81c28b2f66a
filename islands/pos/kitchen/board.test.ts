import { beforeEach, describe, expect, test, vi } from "vitest";
import { age, late, tick } from "./ages";
import { apply, tapped } from "./board";
import { catchTaps } from "./taps";

const ticket = (id: string, at: string, text = id) =>
  `<li class="ticket" id="t-${id}" data-at="${at}"><h3>${text}</h3><time datetime="${at}"></time><button name="done" value="${id} Bar">Done Bar</button></li>`;
const finished = (id: string) =>
  `<li class="finished" id="d-${id}"><time datetime="2026-01-01T00:00:00Z"></time><button name="undo" value="${id} Bar">Undo</button></li>`;

let board: HTMLFormElement;
beforeEach(() => {
  tapped.clear();
  document.body.innerHTML = `<form id="board" action="/kitchen"><section class="place" id="p-1"><h2><span class="count"></span></h2>
    <ol class="tickets">${ticket("a", "2026-01-01T00:01:00Z")}${ticket("c", "2026-01-01T00:03:00Z")}</ol>
    <ul class="recent"></ul></section></form><p id="ends" data-at="2026-01-01T12:00:00Z" hidden></p>`;
  board = document.querySelector("form") as HTMLFormElement;
});

const sent = (present: string, inner: string, count = "2") =>
  `<div data-present="${present}"><div data-of="p-1" data-count="${count}">${inner}</div></div>`;
const shown = () => [...board.querySelectorAll(".ticket, .finished")].map((element) => element.id).join(" ");

describe("what the server sends", () => {
  test("a new ticket is placed by its time and counts as new", () => {
    expect(apply(board, sent("p-1 t-a t-b t-c", ticket("b", "2026-01-01T00:02:00Z"), "3"))).toBe(1);
    expect(shown()).toBe("t-a t-b t-c");
    expect(board.querySelector(".count")?.textContent).toBe("3");
  });

  test("a changed ticket takes the old one's place and is not new", () => {
    expect(apply(board, sent("p-1 t-a t-c", ticket("a", "2026-01-01T00:01:00Z", "Table 9")))).toBe(0);
    expect(board.querySelector("#t-a h3")?.textContent).toBe("Table 9");
  });

  test("missing tickets are removed", () => {
    apply(board, sent("p-1 t-c d-a", finished("a"), "1"));
    expect(shown()).toBe("t-c d-a");
  });

  test("an earlier look does not bring back a ticket that was tapped away", () => {
    tapped.add("t-b");
    expect(apply(board, sent("p-1 t-a t-b t-c", ticket("b", "2026-01-01T00:02:00Z")))).toBe(0);
    expect(shown()).toBe("t-a t-c");
    apply(board, sent("p-1 t-a t-c", ""));
    apply(board, sent("p-1 t-a t-b t-c", ticket("b", "2026-01-01T00:02:00Z")));
    expect(shown()).toBe("t-a t-b t-c");
  });

  test("a place that had no tickets is added", () => {
    const place =
      '<section class="place" id="p-2"><h2><span class="count"></span></h2><ol class="tickets"></ol><ul class="recent"></ul></section>';
    const html = `<div data-present="p-1 p-2 t-a t-c t-z"><template data-place="p-2">${place}</template><div data-of="p-2" data-count="1">${ticket("z", "2026-01-01T00:09:00Z")}</div></div>`;
    expect(apply(board, html)).toBe(1);
    expect(document.querySelector("#p-2 .tickets")?.children.length).toBe(1);
  });
});

describe("a sold-out switch", () => {
  test("shows as it is now, and keeps the focus", () => {
    document.body.insertAdjacentHTML(
      "beforeend",
      '<ul><li id="i12" class="out"><button>Sold out</button></li><li id="i13"></li></ul>',
    );
    document.querySelector<HTMLElement>("#i12 button")?.focus();
    const sentRow = '<div data-present="p-1 t-a t-c"><li id="i12"><form><button>On sale</button></form></li></div>';
    expect(apply(board, sentRow)).toBe(0);
    expect(document.querySelector("#i12")?.textContent).toBe("On sale");
    expect(document.activeElement?.textContent).toBe("On sale");
    expect(document.querySelector("#i13")).not.toBeNull();
  });
});

describe("a tap", () => {
  const tap = async (selector: string, answer: Promise<Response>) => {
    const fetched = vi.spyOn(window, "fetch").mockReturnValue(answer);
    const say = vi.fn();
    const again = vi.fn();
    catchTaps(board, say, again);
    board.querySelector<HTMLButtonElement>(selector)?.click();
    const at = shown();
    await vi.waitFor(() => expect(fetched).toHaveBeenCalled(), 10_000);
    await answer.catch(() => undefined);
    await Promise.resolve();
    await Promise.resolve();
    return { at, say, again };
  };

  test("removes the ticket at once", async () => {
    const { at, say } = await tap("#t-a button", Promise.resolve(new Response(null, { status: 204 })));
    expect(at).toBe("t-c");
    expect(shown()).toBe("t-c");
    expect(say).not.toHaveBeenCalled();
  });

  test("brings the ticket back if the server refuses or does not answer", async () => {
    for (const answer of [
      Promise.resolve(new Response("", { status: 500 })),
      Promise.reject(new TypeError("network")),
    ]) {
      const { say } = await tap("#t-a button", answer);
      await vi.waitFor(() => expect(say).toHaveBeenCalled(), 10_000);
      expect(shown()).toBe("t-a t-c");
    }
  });

  test("on Undo requests the whole board, because to the server a ticket done and undone between two looks has not changed", async () => {
    apply(board, sent("p-1 t-c d-a", finished("a"), "1"));
    const { again } = await tap("#d-a button", Promise.resolve(new Response(null, { status: 204 })));
    await vi.waitFor(() => expect(again).toHaveBeenCalled(), 10_000);
  });
});

describe("a ticket that was tapped away", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(window, "fetch").mockResolvedValue(new Response(null, { status: 204 }));
    return () => vi.useRealTimers();
  });

  test.each([
    [
      "is asked for again if the server does not say within 3 s that it is gone: another screen has undone it",
      "t-a t-c",
      1,
    ],
    ["is not asked for once the server has said that it is gone", "t-c", 0],
  ])("%s", async (_, present, asked) => {
    const again = vi.fn();
    catchTaps(board, vi.fn(), again);
    board.querySelector<HTMLButtonElement>("#t-a button")?.click();
    await vi.advanceTimersByTimeAsync(2_900);
    expect(again).not.toHaveBeenCalled();
    apply(board, sent(present, ""));
    await vi.advanceTimersByTimeAsync(200);
    expect(again).toHaveBeenCalledTimes(asked);
    expect(tapped.size).toBe(0);
  });
});

describe("a wrong tap", () => {
  const undo = () => document.querySelector<HTMLButtonElement>(".toast button");
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  test("can be taken back for 5 s, after which Undo is gone", async () => {
    const sent: string[] = [];
    vi.spyOn(window, "fetch").mockImplementation(async (_, request) => {
      sent.push(String(request?.body));
      return new Response(null, { status: 204 });
    });
    const again = vi.fn();
    catchTaps(board, vi.fn(), again);
    board.querySelector<HTMLButtonElement>("#t-a button")?.click();
    await vi.advanceTimersByTimeAsync(4_900);
    again.mockClear();
    expect(document.querySelector(".toast")?.textContent).toContain("a is done");
    undo()?.click();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual(["done=a+Bar", "undo=a+Bar"]);
    expect(again).toHaveBeenCalledOnce();
    expect(undo()).toBeNull();
    board.querySelector<HTMLButtonElement>("#t-c button")?.click();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(undo()).toBeNull();
  });

  test("that the server refuses offers no Undo", async () => {
    vi.spyOn(window, "fetch").mockResolvedValue(new Response("", { status: 500 }));
    catchTaps(board, vi.fn(), vi.fn());
    board.querySelector<HTMLButtonElement>("#t-a button")?.click();
    await vi.advanceTimersByTimeAsync(0);
    expect(undo()).toBeNull();
  });
});

describe("ages", () => {
  test.each([
    [0, "just now", ""],
    [1, "1 min", ""],
    [10, "10 min", "soon"],
    [20, "20 min", "late"],
    [61, "1 h 1 min", "late"],
  ])("%i minutes", (minutes, text, urgency) => {
    expect([age(minutes), late(minutes)]).toEqual([text, urgency]);
  });

  test("keep counting, and warn before the session ends", () => {
    tick(document, Date.parse("2026-01-01T00:12:00Z"));
    expect(board.querySelector<HTMLElement>("#t-a")?.dataset.late).toBe("soon");
    expect(document.querySelector<HTMLElement>("#ends")?.hidden).toBe(true);
    tick(document, Date.parse("2026-01-01T11:50:00Z"));
    expect(document.querySelector<HTMLElement>("#ends")?.hidden).toBe(false);
  });
});
