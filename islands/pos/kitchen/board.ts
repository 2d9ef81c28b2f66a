/** Tickets that were tapped away, until the server confirms that they are gone. */
export const tapped = new Set<string>();

/** apply puts what the server sent on the board, and returns how many tickets are new. It changes only what is different. */
export function apply(board: HTMLElement, html: string): number {
  const sent = document.createElement("template");
  sent.innerHTML = html;
  const root = sent.content.firstElementChild;
  if (!(root instanceof HTMLElement)) return 0;
  const present = new Set((root.dataset.present ?? "").split(" "));
  drop(board, present);
  for (const place of root.querySelectorAll<HTMLTemplateElement>("template[data-place]")) {
    const section = place.content.firstElementChild;
    if (section && !document.getElementById(section.id)) board.append(section);
  }
  for (const row of root.querySelectorAll<HTMLElement>(":scope > li, :scope > form")) turn(row);
  let fresh = 0;
  for (const part of root.querySelectorAll<HTMLElement>("[data-of]")) fresh += fill(part);
  document.getElementById("none")?.toggleAttribute("hidden", board.querySelector(".place") !== null);
  return fresh;
}

function drop(board: HTMLElement, present: ReadonlySet<string>): void {
  for (const element of board.querySelectorAll<HTMLElement>(".ticket, .finished")) {
    if (!present.has(element.id)) element.remove();
  }
  for (const id of tapped) if (!present.has(id)) tapped.delete(id);
}

/** turn updates the switch of an item or option, or that of ordering. */
function turn(row: HTMLElement): void {
  const old = document.getElementById(row.id);
  const focused = old?.contains(document.activeElement);
  old?.replaceWith(row);
  if (focused) row.querySelector<HTMLElement>("button")?.focus();
}

/** fill puts the changed tickets of one location in their places, and returns how many are new. */
function fill(part: HTMLElement): number {
  const section = document.getElementById(part.dataset.of ?? "");
  const tickets = section?.querySelector(".tickets");
  const recent = section?.querySelector(".recent");
  if (!section || !tickets || !recent) return 0;
  let fresh = 0;
  for (const element of part.querySelectorAll<HTMLElement>(".ticket, .finished")) {
    const old = document.getElementById(element.id);
    if (old) old.replaceWith(element);
    else if (element.matches(".finished")) recent.prepend(element);
    else if (!tapped.has(element.id)) {
      insert(tickets, element);
      fresh++;
    }
  }
  const count = section.querySelector(".count");
  if (count) count.textContent = part.dataset.count ?? "";
  return fresh;
}

/** insert keeps the oldest ticket first. */
export function insert(tickets: Element, ticket: HTMLElement): void {
  const at = ticket.dataset.at ?? "";
  const later = [...tickets.children].find((other) => other instanceof HTMLElement && (other.dataset.at ?? "") > at);
  tickets.insertBefore(ticket, later ?? null);
}
