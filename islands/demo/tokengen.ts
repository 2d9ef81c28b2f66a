/** The script of the token page: htmx checks the link and sends the form; the token can be copied. */
import htmx from "htmx.org";
import { tellBusy } from "./busy";
import { enableCopying } from "./copy";

// Going back must not show a token again.
htmx.config.history = false;

tellBusy(document);
enableCopying(document);
document.addEventListener("htmx:after:swap", () => {
  enableCopying(document);
  // Screen readers read the form's result first. The check of the link does not move the focus.
  document.querySelector<HTMLElement>("#tokengen :is(#refusal, #problems, .done h1)")?.focus();
});
