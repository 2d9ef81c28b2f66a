/** A button's text before it was busy. */
const idle = new WeakMap<Element, string>();

/**
 * tellBusy shows a button's data-busy while its form is being sent, and the form's data-unreached if
 * no answer came.
 */
export function tellBusy(page: Document): void {
  page.addEventListener("htmx:before:request", (event) => {
    const form = formOf(event);
    const button = form?.querySelector("[data-busy]");
    if (!form || !(button instanceof HTMLElement)) return;
    unreached(form, false);
    idle.set(button, button.textContent ?? "");
    button.textContent = button.dataset.busy ?? "";
  });
  page.addEventListener("htmx:error", (event) => {
    const form = formOf(event);
    if (form) unreached(form, true);
  });
  page.addEventListener("htmx:finally:request", (event) => {
    const button = formOf(event)?.querySelector("[data-busy]");
    const words = button && idle.get(button);
    if (words) button.textContent = words;
  });
}

function formOf(event: Event): HTMLFormElement | undefined {
  return event.target instanceof HTMLFormElement ? event.target : undefined;
}

function unreached(form: HTMLFormElement, yes: boolean): void {
  const notice = form.querySelector<HTMLElement>("[data-unreached]");
  if (!notice) return;
  notice.hidden = !yes;
  if (yes) notice.focus();
}
