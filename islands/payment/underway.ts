import { loadChunk } from "../load-chunk";

/** How long a page that cannot follow its payment stands still before it is loaded again, in milliseconds. */
const patience = 10_000;

let watch: typeof import("./watch").watch | undefined;

/** underway follows the payment that the page shows, if there is something to follow. It fetches what that needs once. */
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

/** fetchWatch fetches what follows a payment. */
export const fetchWatch = () => loadChunk(() => import("./watch"));
