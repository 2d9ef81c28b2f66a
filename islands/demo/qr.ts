/** The script of the QR demo: htmx fetches the code at each keystroke, and a button prints a sheet of codes. */
import "htmx.org";

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());
