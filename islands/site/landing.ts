/** The script of the start page. */
import { carousel } from "./carousel";

for (const section of document.querySelectorAll<HTMLElement>(".carousel")) carousel(section);
