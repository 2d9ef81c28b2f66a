import { loadChunk } from "../load-chunk";

/**
 * stayHere keeps what is typed into islands of a name in the browser from the start. Until their scripts have arrived, a form
 * inside is not sent; once they have, somebody who is typing goes on in the island's own field. Scripts that do not arrive
 * leave the server's form to work.
 */
export function stayHere(name: string, load: () => Promise<unknown>): void {
  let holding = true;
  const waits = (target: unknown): target is Element =>
    target instanceof Element && target.closest(name) !== null && target.closest(".island") === null;
  document.addEventListener(
    "submit",
    (event) => {
      if (!holding || !waits(event.target)) return;
      event.preventDefault();
      event.stopImmediatePropagation(); // or the island would take the form for sent
    },
    { capture: true },
  );
  loadChunk(load).then(
    () => setTimeout(() => waits(document.activeElement) && handOver(name, document.activeElement)),
    () => {
      holding = false;
    },
  );
}

/** handOver leaves a field for the moment in which its island takes over, which it does not while somebody types. */
function handOver(name: string, field: Element): void {
  const island = field.closest(name);
  if (!island || !(field instanceof HTMLInputElement)) return;
  const { id, selectionStart: caret } = field;
  new MutationObserver((_, observer) => {
    observer.disconnect();
    const heir = document.getElementById(id);
    if (!(heir instanceof HTMLInputElement)) return;
    heir.focus({ preventScroll: true });
    if (caret !== null) heir.setSelectionRange(caret, caret);
  }).observe(island, { childList: true });
  field.blur();
}
