/** findInList lets people type in a long list of switches; what has the text stays. */
export function findInList(root: ParentNode): void {
  root.querySelector("[data-find]")?.addEventListener("input", ({ target }) => {
    const wanted = (target as HTMLInputElement).value.trim().toLowerCase();
    for (const row of root.querySelectorAll<HTMLElement>(".switches > li"))
      row.hidden = !row.firstElementChild?.textContent?.toLowerCase().includes(wanted);
  });
}
