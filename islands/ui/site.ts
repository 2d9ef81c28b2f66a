/** The script of every page of the site. */
import { menus } from "./menus";

// Without scripts the compliance page comes complete; with them it first shows a spinner.
// biome-ignore lint/suspicious/noDocumentCookie: the newer API is asynchronous, and the next page may be requested before it is done
document.cookie = "scripts=1; path=/compliance; samesite=lax";

// Of a row of links that scrolls, the current one is in sight. scrollIntoView would also move where the first Tab begins.
for (const link of document.querySelectorAll<HTMLElement>(".tabs [aria-current]")) {
  const row = link.closest("ul") ?? link.parentElement;
  if (row) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
}

for (const bar of document.querySelectorAll<HTMLElement>("header.top")) menus(bar);

// Nobody is signed in: what a sign-up kept on this computer is no concern of the next person at it.
if (document.querySelector('header.top a[href^="/signin"]')) {
  try {
    localStorage.removeItem("info");
  } catch {
    // Nothing was kept without storage.
  }
}

// Browsers refuse an address with a mark that nobody sees, and the server leaves it out.
document.addEventListener(
  "input",
  ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "email") return;
    const seen = target.value.replace(/\p{Cf}/gu, "");
    if (seen !== target.value) target.value = seen;
  },
  true,
);
