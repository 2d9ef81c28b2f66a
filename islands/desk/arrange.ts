/** Items of a menu are dragged to their places. The buttons of each row do the same, one step at a time. */
import htmx from "htmx.org";

let dragged: HTMLElement | undefined;

/** mark shows where the dragged row would go. */
function mark(at?: Element | null): void {
  for (const one of document.querySelectorAll(".before, .into")) one.classList.remove("before", "into");
  at?.classList.add(at.matches("li") ? "before" : "into");
}

/** target finds the row that the dragged one would go before, or the category that it would end. */
function target(event: DragEvent): Element | null {
  if (!dragged || !(event.target instanceof Element)) return null;
  return event.target.closest("#arrange li") ?? event.target.closest("#arrange .shelf");
}

let pressed: HTMLButtonElement | undefined;
const folded = new Set<string>();

/** ready makes the rows draggable, keeps folded what was, and returns the focus to the button pressed last, so that it can be pressed again. */
function ready(): void {
  for (const shelf of document.querySelectorAll<HTMLDetailsElement>("#arrange details")) {
    const category = shelf.parentElement?.getAttribute("data-category") ?? "";
    if (folded.has(category)) shelf.open = false;
    shelf.addEventListener("toggle", () => folded[shelf.open ? "delete" : "add"](category));
  }
  for (const row of document.querySelectorAll<HTMLElement>("#arrange li")) row.draggable = true;
  const { name, value, role } = pressed ?? {};
  pressed = undefined;
  const same = role ? `[role="${role}"]` : `[name="${name}"]`; // a switch has another name once it is turned
  if (name) document.querySelector<HTMLButtonElement>(`#arrange button${same}[value="${value}"]`)?.focus();
}

/** arrange makes the items of the menu on the page movable. */
export function arrange(): void {
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element)
      pressed = event.target.closest<HTMLButtonElement>("#arrange button") ?? undefined;
  });

  document.addEventListener("dragstart", (event) => {
    if (!(event.target instanceof Element)) return;
    const row = event.target.closest<HTMLElement>("#arrange li");
    if (!row) return;
    dragged = row;
    row.classList.add("dragged");
    event.dataTransfer?.setData("text/plain", row.id);
  });
  document.addEventListener("dragover", (event) => {
    const at = target(event);
    if (!at) return;
    event.preventDefault();
    mark(at);
  });
  document.addEventListener("dragend", () => {
    dragged?.classList.remove("dragged");
    dragged = undefined;
    mark();
  });
  document.addEventListener("drop", (event) => {
    const at = target(event);
    const form = document.querySelector<HTMLFormElement>("#arrange");
    if (!at || !dragged || !form) return;
    event.preventDefault();
    const to = at.id || `c${at.getAttribute("data-category")}`;
    if (to !== dragged.id) {
      htmx.ajax("POST", form.action, {
        target: "#studio",
        swap: "outerHTML",
        values: { ...Object.fromEntries(new FormData(form)), move: dragged.id, to },
      });
    }
  });
  document.addEventListener("htmx:after:swap", ready);
  ready();
}
