/** wireReveal shows the buttons that reveal a password, and makes them work. */
export function wireReveal(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button.reveal[hidden]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const show = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(show));
      for (const input of shownBy(button)) input.type = show ? "text" : "password";
    });
    // Hide the password again before it is sent, because browsers only offer to save password fields.
    button.form?.addEventListener("submit", () => {
      button.setAttribute("aria-pressed", "false");
      for (const input of shownBy(button)) input.type = "password";
    });
  }
}

/** shownBy returns the field beside a button and, for a new password, its confirmation. */
function shownBy(button: HTMLButtonElement): HTMLInputElement[] {
  const own = button.parentElement?.querySelector<HTMLInputElement>("input");
  if (!own) return [];
  const confirm = own.name === "password" ? button.form?.querySelector<HTMLInputElement>("#confirm") : null;
  return confirm ? [own, confirm] : [own];
}
