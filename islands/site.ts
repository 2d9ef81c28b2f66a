/** The script of every page of the site. */
import { menus } from "./chrome/menus";

for (const bar of document.querySelectorAll<HTMLElement>("header.top")) menus(bar);
