/** The script of the compliance page: htmx fetches and swaps what it holds, and the button says whether the box is ticked. */
import htmx from "htmx.org";
import { tellTicked } from "./compliance/ticked";

// Nothing of an identity page is kept in the browser: back and forward load it anew.
htmx.config.history = "reload";
htmx.config.defaultSettleDelay = 0;

document.addEventListener("change", tellTicked);
document.addEventListener("htmx:after:swap", arrive);
document.addEventListener("htmx:error", unsent);
document.addEventListener("htmx:response:error", unsent);
tellTicked();

let loaded = document.querySelector("#compliance:not(.loading)") !== null;

/** arrive says at once what is wrong, and leaves the page where it was when that is nothing. */
function arrive(): void {
  tellTicked();
  const problems = document.querySelector<HTMLElement>("#compliance #problems");
  if (problems) problems.focus();
  else if (loaded) document.querySelector("#compliance")?.scrollIntoView({ block: "start" });
  loaded = true;
}

/** unsent says that an answer did not come, beside what was typed. */
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
