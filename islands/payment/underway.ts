import type htmx from "htmx.org";
import { loadChunk } from "../load-chunk";

let attend: typeof import("./attend").attend | undefined;

/**
 * underway fetches the script that a payment in progress needs, and lets it look at the page.
 * Without it the page polls from time to time.
 */
export function underway(page: typeof htmx): void {
  if (attend) {
    attend(page);
    return;
  }
  if (!document.querySelector("#payment[data-events]")) return;
  loadChunk(() => import("./attend")).then(
    (chunk) => {
      attend = chunk.attend;
      attend(page);
    },
    () => undefined,
  );
}
