/**
 * ownZone chooses the time zone of the browser for a new business, because a country has several clocks and the form cannot know which. It changes
 * nothing if the browser is on another continent than the business.
 */
export function ownZone(zones: HTMLSelectElement, here: string): void {
  const continent = (zone: string) => zone.split("/", 1)[0];
  const known = [...zones.options].some(({ value }) => value === here);
  if (known && continent(here) === continent(zones.value)) zones.value = here;
}
