/** How long after its release a press may still click, in milliseconds: browsers wait for a second tap where that would zoom in. */
const clicksWithin = 400;

let pressed = false;
let timer = 0;
const waiting: (() => void)[] = [];

/** watchPresses makes afterPress know every press from its beginning. */
export function watchPresses(): void {
  // A click that opens a menu, as Ctrl makes one on a Mac, may never be released.
  for (const type of ["pointerdown", "pointerup", "pointercancel", "click", "contextmenu", "keydown"]) {
    addEventListener(type, follow, true);
  }
}

/**
 * afterPress calls back once nothing on the page is being pressed, at once if that is so. A control that moves or goes away
 * between press and release gets no click, also when leaving a field is what moved it.
 */
export function afterPress(callback: () => void): void {
  if (pressed) waiting.push(callback);
  else callback();
}

function follow({ type, button }: Event & { button?: number }): void {
  clearTimeout(timer);
  if (type !== "pointerdown") timer = window.setTimeout(over, type === "pointerup" ? clicksWithin : 0);
  else pressed = !button; // the other buttons of a mouse press nothing
}

function over(): void {
  pressed = false;
  for (const callback of waiting.splice(0)) callback();
}
