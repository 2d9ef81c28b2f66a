/** keepInfo stores the sign-up information that the page holds, which has no password in it, under "info". */
export function keepInfo(page: Document, storage: Storage): void {
  const text = page.querySelector("#signup-info")?.textContent;
  if (!text) return;
  try {
    storage.setItem("info", text.trim());
  } catch {
    // The browser keeps nothing for us; the server has it all.
  }
}
