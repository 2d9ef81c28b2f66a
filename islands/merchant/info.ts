/** keepInfo stores the page's sign-up information, which holds no password, under "info". islands/ui/site.ts removes it. */
export function keepInfo(page: Document): void {
  const text = page.querySelector("#signup-info")?.textContent;
  if (!text) return;
  try {
    localStorage.setItem("info", text.trim()); // even naming it fails where a browser gives a frame no storage
  } catch {
    // Without storage nothing is lost: the server has it all.
  }
}
