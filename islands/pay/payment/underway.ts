import { loadChunk } from "../../load-chunk";

/** How long a page that cannot follow its payment waits before it reloads, in milliseconds. */
const patience = 10_000;

let watch: typeof import("./watch").watch | undefined;

/** underway follows the payment that the page shows, if there is something to follow. It fetches the script for that once. */
export function underway(): void {
  if (watch) {
    watch();
    return;
  }
  if (!document.querySelector("#payment[data-events], #payment[hx-get]")) return;
  fetchWatch().then(
    (chunk) => {
      watch ??= chunk.watch;
      watch();
    },
    () => setTimeout(() => location.reload(), patience),
  );
}

/** fetchWatch fetches the script that follows a payment. */
export const fetchWatch = () => loadChunk(() => import("./watch"));
