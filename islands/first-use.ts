// When browsers fill in forms, input is the only sign.
const signs = ["pointermove", "pointerdown", "keydown", "focusin", "input", "scroll"];
let begun = false;

/** firstUse calls back once, when a person begins to use the page, or at once if they already have. */
export function firstUse(callback: () => void, signal?: AbortSignal): void {
  const stop = new AbortController();
  const done = () => {
    begun = true;
    stop.abort();
    if (!signal?.aborted) callback();
  };
  if (begun || scrollY > 0 || document.activeElement !== document.body) queueMicrotask(done);
  else for (const sign of signs) addEventListener(sign, done, { signal: stop.signal, capture: true, passive: true });
}
