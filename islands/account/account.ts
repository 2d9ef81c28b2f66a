/** The script of the account pages: live password rules, showing a password, passkeys, and swaps by htmx. */
import htmx from "htmx.org";
import { wireKeep } from "./keep";
import { wirePasskeys } from "./passkey";
import { wireReveal } from "./reveal";
import { wireRules } from "./rules";

// The browser caches no account page, so back and forward load it again.
htmx.config.history = "reload";

let email = "";

function wire(): void {
  wireReveal(document);
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-rules]")) wireRules(form);
  wirePasskeys();
  wireKeep();
}

document.addEventListener("htmx:before:swap", () => {
  email = field()?.value ?? "";
});

document.addEventListener("htmx:after:swap", () => {
  const now = field();
  if (now && !now.value) now.value = email; // keep what was typed on the other screen
  const heading = document.querySelector<HTMLElement>("#account h1");
  if (heading) document.title = [heading.textContent, ...document.title.split(" · ").slice(1)].join(" · ");
  wire();
  const problem = document.querySelector<HTMLElement>("#account :is(#problems, .notice[role=alert])");
  if (problem) problem.tabIndex = -1;
  (problem ?? heading)?.focus();
});

// A browser may restore field values after the page has loaded.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-rules]")) form.dispatchEvent(new Event("change"));
});
wire();

function field(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>("#account #email");
}
