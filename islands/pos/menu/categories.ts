/** followCategories marks the link of the category in view and scrolls the bar of categories to it. */
export function followCategories(page: HTMLElement): void {
  const links = [...page.querySelectorAll<HTMLAnchorElement>(".chips a")];
  let marked: HTMLElement | undefined;
  const follow = () => {
    // A short category at the end never reaches the top of the screen.
    const line = scrollY + innerHeight < document.documentElement.scrollHeight - 2 ? innerHeight / 3 : innerHeight;
    let now = links[0];
    for (const link of links) {
      if ((page.querySelector(link.hash)?.getBoundingClientRect().top ?? line) < line) now = link;
    }
    if (!now || now === marked) return;
    marked?.removeAttribute("aria-current");
    marked = now;
    now.setAttribute("aria-current", "true");
    // scrollIntoView would end a smooth scroll of the page.
    const list = now.closest("ul");
    if (list) list.scrollLeft = now.offsetLeft - (innerWidth - now.offsetWidth) / 2;
  };
  addEventListener("scroll", follow, { passive: true });
  follow();
}
