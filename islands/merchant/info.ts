/** keepInfo stores the page's sign-up information, which holds no password, under "info". */
export function keepInfo(page: Document, storage: Storage): void {
  const text = page.querySelector("#signup-info")?.textContent;
  if (!text) return;
  try {
    storage.setItem("info", text.trim());
  } catch {
    // Without storage nothing is lost: the server has it all.
  }
}
