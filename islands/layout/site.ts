/** The script of every page of the site. */
import { menus } from "./menus";

// Without scripts the compliance page comes whole at once; with them it shows a spinner first.
// biome-ignore lint/suspicious/noDocumentCookie: the newer API is asynchronous, and the next page may be requested before it is done
document.cookie = "scripts=1; path=/compliance; samesite=lax";

for (const bar of document.querySelectorAll<HTMLElement>("header.top")) menus(bar);
