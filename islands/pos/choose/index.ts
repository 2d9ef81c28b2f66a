import "../../base";
import { x } from "../../icons";
import { icon } from "../../ui/icon";
import type { BasketStore } from "../basket/store";
import { ignoreSecondTap } from "../second-tap";
import { wireForm } from "./form";

/** A sheet is on its way, so another press is not for a second one. */
let busy = false;

/** choose shows the page of an item as a sheet over the menu, because of a press. If that fails, it opens the page. */
export async function choose(address: string, store: BasketStore, by: MouseEvent): Promise<void> {
  if (busy) return;
  busy = true;
  const article = await fetchArticle(address).catch(() => null);
  busy = false;
  const form = article?.querySelector<HTMLFormElement>("form");
  if (!article) {
    location.assign(address);
    return;
  }
  const sheet = document.createElement("dialog");
  sheet.className = "sheet";
  sheet.setAttribute("aria-label", article.querySelector("h1")?.textContent ?? "");
  sheet.setAttribute("closedby", "any");
  sheet.append(...closer(), article);
  sheet.addEventListener("close", () => {
    sheet.remove();
    if (isMarked()) history.back();
  });
  document.body.append(sheet);
  // The back button closes the sheet. Going back to an address with a fragment would scroll to the fragment.
  history.replaceState(history.state, "", location.pathname + location.search);
  history.pushState({ ...history.state, item: true }, "");
  addEventListener("popstate", () => sheet.close(), { once: true });
  if (form) wireForm(form, store, () => sheet.close());
  sheet.showModal();
  ignoreSecondTap(sheet, by);
}

function isMarked(): boolean {
  return (history.state as { item?: boolean } | null)?.item === true;
}

/** fetchArticle returns the article of the page with its style sheet; null if there is none. */
async function fetchArticle(address: string): Promise<HTMLElement | null> {
  const response = await fetch(address, { signal: AbortSignal.timeout?.(20_000) ?? null });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const article = page.querySelector<HTMLElement>("article.choosing");
  const style = page.querySelector<HTMLLinkElement>("main link[rel=stylesheet]");
  if (!response.ok || !article || !style) return null;
  if (!document.querySelector(`link[href="${style.getAttribute("href")}"]`)) await load(style);
  return document.adoptNode(article);
}

function load(style: HTMLLinkElement): Promise<void> {
  return new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = style.getAttribute("href") ?? "";
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}

/** A form that closes its dialog needs no script. */
function closer(): HTMLElement[] {
  const form = document.createElement("form");
  form.method = "dialog";
  form.className = "close";
  form.innerHTML = '<button class="tap" aria-label="Close"></button>';
  form.firstElementChild?.append(icon(x));
  return [form];
}
