import creditCardType from "credit-card-type";

/**
 * markTyped highlights, among the pictures of the accepted cards, that of the card being typed, once its first digits identify it. It
 * names a card that has no picture there.
 */
export function markTyped(marks: Element | null, number: string): void {
  const fitting = creditCardType(number.replace(/\D/g, ""));
  const typed = fitting.length === 1 ? fitting[0] : undefined;
  let named: Element | undefined;
  let pictured = false;
  for (const mark of marks?.children ?? []) {
    const type = (mark as HTMLElement).dataset.mark;
    const current = type !== undefined && type === typed?.type;
    pictured ||= current;
    if (type === undefined) named = mark;
    else if (current) mark.setAttribute("aria-current", "true");
    else mark.removeAttribute("aria-current");
  }
  named?.remove();
  if (!typed || pictured) return;
  const name = document.createElement("li");
  name.setAttribute("aria-current", "true");
  name.textContent = typed.niceType;
  marks?.append(name);
}
