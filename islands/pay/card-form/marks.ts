import { brands } from "./brands";

/**
 * markTyped highlights, among the pictures of the accepted cards, that of the card being typed, once its first digits identify it. It
 * names a card that has no picture there.
 */
export function markTyped(marks: Element | null, number: string): void {
  const typed = brandOf(number.replace(/\D/g, ""));
  let named: Element | undefined;
  let pictured = false;
  for (const mark of marks?.children ?? []) {
    const type = (mark as HTMLElement).dataset.mark;
    const current = type !== undefined && type === typed?.mark;
    pictured ||= current;
    if (type === undefined) named = mark;
    else if (current) mark.setAttribute("aria-current", "true");
    else mark.removeAttribute("aria-current");
  }
  named?.remove();
  if (!typed || pictured) return;
  const name = document.createElement("li");
  name.setAttribute("aria-current", "true");
  name.textContent = typed.name;
  marks?.append(name);
}

/** The brand of a card by its first digits, in the order of the table, once there are enough of them. */
function brandOf(digits: string): (typeof brands)[number] | undefined {
  return brands.find(({ low, high }) => {
    const width = String(low).length;
    const first = Number(digits.slice(0, width));
    return digits.length >= width && first >= low && first <= high;
  });
}
