/** The script of every page of the site. */
import { menus } from "./chrome/menus";

// The compliance page is whole at once for who has no scripts, and shows a spinner first to everybody else.
// biome-ignore lint/suspicious/noDocumentCookie: the newer way waits, and the next page may be asked for before it is done
document.cookie = "scripts=1; path=/compliance; samesite=lax";

for (const bar of document.querySelectorAll<HTMLElement>("header.top")) menus(bar);
