/** How long a button shows that it has copied, in milliseconds. */
const thanks = 2000;

/** enableCopying shows the buttons with data-copy, which copy the text of the element they name. */
export function enableCopying(page: Document): void {
  for (const button of page.querySelectorAll<HTMLButtonElement>("button[data-copy][hidden]")) {
    button.hidden = false;
    button.addEventListener("click", () => void copy(page, button));
  }
}

async function copy(page: Document, button: HTMLButtonElement): Promise<void> {
  const source = page.querySelector(button.dataset.copy ?? "");
  if (!source) return;
  try {
    await navigator.clipboard.writeText(source.textContent?.trim() ?? "");
  } catch {
    // The browser forbids copying, so select the text; then one key copies it.
    getSelection()?.selectAllChildren(source);
    return;
  }
  const { copied = "" } = button.dataset;
  if (button.textContent === copied) return;
  const words = button.textContent;
  button.textContent = copied;
  setTimeout(() => {
    button.textContent = words;
  }, thanks);
}
