import { useCallback, useEffect, useRef } from "react";

/** useCardForm returns a function that reports whether a person has begun to fill in the card form. */
export function useCardForm(): () => boolean {
  const begun = useRef(false);
  useEffect(() => {
    const stop = new AbortController();
    const note = (event: Event) => {
      if (event.target instanceof Element && event.target.closest("fc-card-form")) begun.current = true;
    };
    for (const touch of ["focusin", "pointerdown", "input"]) {
      document.addEventListener(touch, note, { signal: stop.signal, passive: true });
    }
    return () => stop.abort();
  }, []);
  return useCallback(() => begun.current || !!document.activeElement?.closest("fc-card-form"), []);
}
