/** tellTicked makes the agreement's button follow its box (COMPL-10, COMPL-11). */
export function tellTicked(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-not-ticked]")) {
    const ticked = button.form?.querySelector<HTMLInputElement>('[name="acknowledged"]')?.checked ?? false;
    button.disabled = !ticked;
    button.textContent = (ticked ? button.dataset.ticked : button.dataset.notTicked) ?? "";
  }
}
