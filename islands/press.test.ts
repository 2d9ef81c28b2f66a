import { beforeEach, expect, test, vi } from "vitest";
import { afterPress, watchPresses } from "./press";

const fire = (type: string, init: PointerEventInit = {}) =>
  document.body.dispatchEvent(new PointerEvent(type, { bubbles: true, ...init }));
const callback = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  watchPresses();
  fire("click");
  vi.runAllTimers();
  callback.mockReset();
});

test("what may move controls happens at once while nothing is pressed", () => {
  afterPress(callback);
  expect(callback).toHaveBeenCalledOnce();
});

test("during a press it waits for the click, and for what the click does", () => {
  fire("pointerdown");
  afterPress(callback);
  vi.advanceTimersByTime(10_000);
  fire("pointerup");
  fire("click");
  expect(callback).not.toHaveBeenCalled();
  vi.advanceTimersByTime(0);
  expect(callback).toHaveBeenCalledOnce();
});

test("a finger's press lasts until its click, because a field loses its focus only after the release", () => {
  fire("pointerdown");
  fire("pointerup");
  vi.advanceTimersByTime(100);
  afterPress(callback);
  expect(callback).not.toHaveBeenCalled();
  fire("click");
  vi.advanceTimersByTime(0);
  expect(callback).toHaveBeenCalledOnce();
});

test("a press without a click ends soon after its release, and one that became scrolling at once", () => {
  fire("pointerdown");
  afterPress(callback);
  fire("pointerup");
  vi.advanceTimersByTime(400);
  expect(callback).toHaveBeenCalledOnce();
  fire("pointerdown");
  afterPress(callback);
  fire("pointercancel");
  vi.advanceTimersByTime(0);
  expect(callback).toHaveBeenCalledTimes(2);
});

test("the second press of a double tap is not over with the first", () => {
  fire("pointerdown");
  fire("pointerup");
  vi.advanceTimersByTime(300);
  fire("pointerdown");
  afterPress(callback);
  vi.advanceTimersByTime(300);
  expect(callback).not.toHaveBeenCalled();
  fire("pointerup");
  fire("click");
  vi.advanceTimersByTime(0);
  expect(callback).toHaveBeenCalledOnce();
});

test.each(["contextmenu", "keydown"])("a press whose release is never heard of ends with a %s", (sign) => {
  fire("pointerdown", { ctrlKey: true });
  afterPress(callback);
  fire(sign);
  vi.advanceTimersByTime(0);
  expect(callback).toHaveBeenCalledOnce();
});

test("the button of a mouse that opens a menu presses nothing: its release may never be heard of", () => {
  fire("pointerdown", { button: 2 });
  afterPress(callback);
  expect(callback).toHaveBeenCalledOnce();
});
