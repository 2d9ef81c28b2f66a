/** The script of a receipt: its button prints. */
for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());
