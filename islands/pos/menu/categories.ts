/** followCategories marks the link of the category in view, or of the one that was asked for, and scrolls the bar of categories to it. */
export function followCategories(page: HTMLElement): void {
  const links = [...page.querySelectorAll<HTMLAnchorElement>(".chips a")];
  let marked: HTMLElement | undefined;
  /** A short category at the end never reaches the top of the screen: a press on its link marks it until a person scrolls on. */
  let asked = false;
  const mark = (link: HTMLElement) => {
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    marked = link;
    link.setAttribute("aria-current", "true");
    // scrollIntoView would end a smooth scroll of the page.
    const list = link.closest("ul");
    if (list)
      list.scrollLeft =
        link === links[0] ? 0 : link.offsetLeft - list.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
  };
  const follow = () => {
    if (asked) return;
    const line = scrollY + innerHeight < document.documentElement.scrollHeight - 2 ? innerHeight / 3 : innerHeight;
    let now = links[0];
    for (const link of links) {
      if ((page.querySelector(link.hash)?.getBoundingClientRect().top ?? line) < line) now = link;
    }
    if (now) mark(now);
  };
  for (const link of links) {
    link.addEventListener("click", () => {
      asked = true;
      mark(link);
    });
  }
  const scrollOn = () => {
    asked = false;
  };
  addEventListener("wheel", scrollOn);
  addEventListener("touchmove", scrollOn);
  addEventListener("scroll", follow, { passive: true });
  follow();
}
