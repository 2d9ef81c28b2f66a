/** Escape, a click outside and a page restored by the browser close the top bar's menus. */
export function menus(bar: HTMLElement): void {
  const all = [...bar.querySelectorAll("details")];

  // The part that a menu opens. On phones the navigation is beside its button.
  const reach = (menu: HTMLDetailsElement) => (menu.matches(".fold") ? bar : menu);

  const closeUnless = (stays: (menu: HTMLDetailsElement) => boolean) => {
    for (const menu of all) if (menu.open && !stays(menu)) menu.open = false;
  };

  addEventListener("click", ({ target }) =>
    closeUnless((menu) => target instanceof Node && reach(menu).contains(target)),
  );
  addEventListener("keydown", ({ key }) => {
    const menu = all.filter((one) => one.open).pop();
    if (key !== "Escape" || !menu) return;
    const inside = reach(menu).contains(document.activeElement);
    menu.open = false;
    if (inside) menu.querySelector("summary")?.focus();
  });
  addEventListener("pageshow", ({ persisted }) => persisted && closeUnless(() => false));
}
