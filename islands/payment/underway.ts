import { loadChunk } from "../load-chunk";

let attend: (() => void) | undefined;

/**
 * underway fetches the script that a payment in progress needs, and lets it look at the page.
 * Without it the page polls from time to time.
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
