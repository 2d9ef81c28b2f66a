import { loadChunk } from "../load-chunk";

let attend: (() => void) | undefined;

/**
 * underway fetches what a payment needs from the moment that it is under way, and lets it look at what the page shows now.
 * Without it the page asks from time to time.
 */
export function underway(): void {
  if (attend) {
    attend();
    return;
  }
  if (!document.querySelector("#payment[data-events]")) return;
  loadChunk(() => import("./attend")).then(
    (chunk) => {
      attend = chunk.attend;
      attend();
    },
    () => undefined,
  );
}
