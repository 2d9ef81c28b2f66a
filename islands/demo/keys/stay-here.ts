import { firstUse } from "../../first-use";
import { loadChunk } from "../../load-chunk";

/**
 * stayHere keeps what is typed into the islands with a name inside the browser. Until their scripts have arrived, a form
 * inside is not sent; after that, typing continues in the island's own field. If scripts do not arrive,
 * the server's form works.
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
      event.stopImmediatePropagation(); // otherwise the island would believe that the form was sent
    },
    { capture: true },
  );
  firstUse(() => {
    loadChunk(load).then(
      () => setTimeout(() => waits(document.activeElement) && handOver(name, document.activeElement)),
      () => {
        holding = false;
      },
    );
  });
}

/** handOver takes the focus off a field for a moment, because its island does not take over while a person types. */
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
