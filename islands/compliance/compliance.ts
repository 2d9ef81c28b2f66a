/** The script of the compliance page: htmx swaps its parts, and the button says whether the box is ticked. */
import htmx from "htmx.org";
import { tellTicked } from "./ticked";

// The browser caches no identity page, so back and forward load it again.
htmx.config.history = "reload";
htmx.config.defaultSettleDelay = 0;

document.addEventListener("change", tellTicked);
document.addEventListener("htmx:after:swap", arrive);
document.addEventListener("htmx:error", unsent);
document.addEventListener("htmx:response:error", unsent);
tellTicked();

let loaded = document.querySelector("#compliance:not(.loading)") !== null;

/** arrive leads to the problems, and does not move the page if there are none. */
function arrive(): void {
  tellTicked();
  const problems = document.querySelector<HTMLElement>("#compliance #problems");
  if (problems) problems.focus();
  else if (loaded) document.querySelector("#compliance")?.scrollIntoView({ block: "start" });
  loaded = true;
}

/** unsent says beside the typed values that no answer came. */
function unsent(): void {
  const panel = document.querySelector<HTMLElement>("#compliance");
  const form = panel?.querySelector("form");
  if (!form || form.querySelector(".unsent")) return;
  const note = document.createElement("p");
  note.className = "problem unsent";
  note.setAttribute("role", "alert");
  note.textContent = panel?.dataset.unsent ?? "";
  form.append(note);
}
