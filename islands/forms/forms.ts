/** The script of the merchant forms: htmx swaps the steps, and the button says whether a step is complete. */
import htmx from "htmx.org";
import { isComplete } from "./ready";

// Back and forward load the page again, so that a step always shows what was saved.
htmx.config.history = "reload";
// Nothing moves when one step replaces another, so nothing has to wait.
htmx.config.defaultSettleDelay = 0;

/** The part of the title after the page's own, which each step sends. */
const suffix = document.title.slice(panel()?.dataset.title?.length ?? 0);

document.addEventListener("input", tell);
document.addEventListener("htmx:after:swap", arrive);
document.addEventListener("htmx:error", unsent);
document.addEventListener("htmx:response:error", unsent);
tell();

function panel(): HTMLElement | null {
  return document.querySelector<HTMLElement>("#form");
}

/** tell marks on the button whether the step is complete (FORM-13, FORM-14). For an incomplete step the button still shows what is missing. */
function tell(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-not-yet]")) {
    if (!button.form) continue;
    const complete = isComplete(button.form);
    button.classList.toggle("not-yet", !complete);
    button.textContent = (complete ? button.dataset.next : button.dataset.notYet) ?? "";
  }
}

/** arrive does what a browser does with a new page: set the title, scroll to the top (FORM-16), focus the start. */
function arrive(): void {
  const form = panel();
  if (form) document.title = (form.dataset.title ?? "") + suffix;
  tell();
  const wanted = form?.querySelector<HTMLElement>("[autofocus]");
  if (wanted && wanted.id !== "problems") {
    wanted.focus();
    return;
  }
  scrollTo(0, 0);
  const start = wanted ?? document.querySelector<HTMLElement>("main h1");
  if (!start) return;
  start.tabIndex = -1;
  start.focus({ preventScroll: true });
}

/** unsent says beside the typed values that no answer came. */
function unsent(): void {
  const form = panel()?.querySelector<HTMLFormElement>("form[data-unsent]");
  if (!form || form.querySelector(".unsent")) return;
  const note = document.createElement("p");
  note.className = "problem unsent";
  note.setAttribute("role", "alert");
  note.textContent = form.dataset.unsent ?? "";
  form.lastElementChild?.before(note);
}
