/** How long after its release a press may still click, in milliseconds: browsers wait for a second tap where that would zoom in. */
const clicksWithin = 400;

let watching = false;
let pressed = false;
let timer = 0;
let waiting: (() => void)[] = [];

/** watchPresses makes afterPress know every press from its beginning. */
export function watchPresses(): void {
  if (watching) return;
  watching = true;
  const on = (type: string, listener: (event: Event) => void) =>
    addEventListener(type, listener, { capture: true, passive: true });
  const overIn = (time: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(over, time);
  };
  on("pointerdown", (event) => {
    clearTimeout(timer);
    pressed = !(event as PointerEvent).button; // the other buttons of a mouse press nothing
  });
  on("pointerup", () => overIn(clicksWithin));
  on("pointercancel", () => overIn(0));
  on("click", () => overIn(0));
}

/**
 * afterPress calls back once nothing on the page is being pressed, at once if that is so. A control that moves or goes away
 * between press and release gets no click, also when leaving a field is what moved it.
 */
export function afterPress(callback: () => void): void {
  if (pressed) waiting.push(callback);
  else callback();
}

function over(): void {
  pressed = false;
  const ready = waiting;
  waiting = [];
  for (const callback of ready) callback();
}
