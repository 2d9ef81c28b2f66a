/** How long, in milliseconds, and how near, in pixels, a second tap counts as made where the first was. */
const within = 1000;
const near = 32;

/**
 * ignoreSecondTap keeps a sheet open that a press has just opened: another tap at the same place is meant for the button that the sheet
 * covers, and must neither press what is there now nor count as one beside the sheet.
 */
export function ignoreSecondTap(sheet: HTMLElement, { detail, clientX, clientY }: MouseEvent): void {
  if (detail === 0 || (clientX === 0 && clientY === 0)) return; // a key, or what helps a person to press
  const stop = new AbortController();
  setTimeout(() => stop.abort(), within);
  let again = false;
  const ignore = (event: Event) => {
    if (event instanceof MouseEvent) again = Math.hypot(event.clientX - clientX, event.clientY - clientY) < near;
    else if (event.type !== "cancel") again = false;
    if (!again || event.type === "pointerdown" || event.type === "keydown") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const type of ["pointerdown", "mousedown", "click", "keydown", "cancel"]) {
    sheet.addEventListener(type, ignore, { capture: true, signal: stop.signal });
  }
}
