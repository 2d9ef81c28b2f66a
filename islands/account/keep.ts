/** wireKeep shows and wires the buttons that print the page and copy a list. */
export function wireKeep(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-print][hidden]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
  if (!isSecureContext) return; // no clipboard without one
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy][hidden]")) {
    button.hidden = false;
    button.addEventListener("click", () => void copy(button));
  }
}

async function copy(button: HTMLButtonElement) {
  const items = document.querySelectorAll(`${button.dataset.copy} li`);
  await navigator.clipboard.writeText([...items].map((item) => item.textContent.trim()).join("\n"));
  const said = document.querySelector<HTMLElement>("[data-copied]");
  if (said) said.hidden = false;
}
