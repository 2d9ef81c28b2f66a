/** entitle says in the tab what a payment has come to, if section, the new #payment, tells. */
export function entitle(section: Element | null): void {
  const title = section?.getAttribute("data-title");
  if (title) document.title = document.title.replace(/^[^·]*/, `${title} `);
}
