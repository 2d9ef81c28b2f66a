/** The script of the QR demo: htmx brings the code for each keystroke, and a sheet of codes prints. */
import "htmx.org";

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());
