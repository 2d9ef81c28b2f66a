/** The script of /merchant/admin: htmx shows the secret, buttons copy values, a frame talks to the page around it. */
import htmx from "htmx.org";
import { wireReveal } from "../account/reveal";
import { wireRules } from "../account/rules";
import { enableCopying } from "../demo/copy";
import { talk } from "./embed";
import { keepInfo } from "./info";
import { followNames } from "./names";

// Going back must not show a secret again.
htmx.config.history = false;

talk(window);
enableCopying(document);
keepInfo(document);
followNames(document);
wireReveal(document);
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-rules]")) wireRules(form);
document.addEventListener("htmx:after:swap", () => enableCopying(document));
