/** The script of the token page: htmx checks the link and sends the form; the token can be copied. */
import htmx from "htmx.org";
import { tellBusy } from "./busy";
import { enableCopying } from "./copy";

// A token must not be found again by going back.
htmx.config.history = false;

tellBusy(document);
enableCopying(document);
document.addEventListener("htmx:after:swap", () => {
  enableCopying(document);
  // What the form led to is read out first; the check of the link leaves the focus where it is.
  document.querySelector<HTMLElement>("#tokengen :is(#refusal, #problems, .done h1)")?.focus();
});
