/** The script of every page of the site. */
import { menus } from "./menus";

// Without scripts the compliance page comes complete; with them it first shows a spinner.
// biome-ignore lint/suspicious/noDocumentCookie: the newer API is asynchronous, and the next page may be requested before it is done
document.cookie = "scripts=1; path=/compliance; samesite=lax";

// What a sign-up keeps on this computer is no concern of the next person at it.
for (const form of document.querySelectorAll('form[action="/signout"]')) {
  form.addEventListener("submit", () => {
    try {
      localStorage.removeItem("info");
    } catch {
      // Nothing was kept without storage.
    }
  });
}

for (const bar of document.querySelectorAll<HTMLElement>("header.top")) menus(bar);
