/** The script of the desk: htmx refreshes what may have changed, and open menus close. */
import htmx from "htmx.org";
import { enableCopying } from "../demo/copy";
import { findInList } from "../ui/find";
import { arrange } from "./arrange";
import { weekly } from "./hours";
import { offer } from "./notices";
import { ownZone } from "./zone";

htmx.config.history = "reload";

// The menu's items can be dragged.
if (document.getElementById("arrange")) arrange();
// The browser can show the messages for the person who is signed in.
const notes = document.getElementById("note-me");
if (notes) offer(notes);
// Opening hours are filled in day by day.
const hours = document.querySelector<HTMLTextAreaElement>("textarea#hours");
if (hours) weekly(hours);
// What guests will see follows what is typed.
document.getElementById("item")?.addEventListener("input", ({ target }) => {
  const { name, value } = target as HTMLInputElement;
  const said = document.querySelector(`[data-says="${name}"]`);
  const amount = value.replace(/^\D+/, "");
  const price = Number(amount) === 0 ? amount && "Free" : `${said?.getAttribute("data-sign")}${amount}`;
  if (said) said.textContent = said.hasAttribute("data-sign") ? price : value;
  if (name === "name" && value && said?.parentElement) said.parentElement.hidden = false;
});
// Browsers say in words of their own that no file is chosen. The tile beside says it.
for (const file of document.querySelectorAll<HTMLInputElement>(".picture-field [type=file]")) {
  const mark = () => file.toggleAttribute("data-none", file.value === "");
  mark();
  file.addEventListener("change", mark);
}
findInList(document);
// A new business starts with the browser's clock.
const zones = document.querySelector<HTMLSelectElement>("form[data-own-zone] select[name=timezone]");
if (zones) ownZone(zones, Intl.DateTimeFormat().resolvedOptions().timeZone);
enableCopying(document);
