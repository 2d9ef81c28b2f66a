/** The script of /merchant/admin: htmx shows the secret, buttons copy values, a frame talks to the page around it. */
import htmx from "htmx.org";
import { enableCopying } from "../demo/copy";
import { talk } from "./embed";
import { keepInfo } from "./info";
import { followNames } from "./names";

// Going back must not show a secret again.
htmx.config.history = false;

enableCopying(document);
keepInfo(document, localStorage);
followNames(document);
talk(window);
document.addEventListener("htmx:after:swap", () => enableCopying(document));
