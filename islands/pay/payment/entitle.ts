/** entitle shows the outcome of a payment in the tab's title, if section, the new #payment, gives one. */
export function entitle(section: Element | null): void {
  const title = section?.getAttribute("data-title");
  if (title) document.title = document.title.replace(/^[^·]*/, `${title} `);
}
