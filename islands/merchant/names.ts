/** followNames shows, while a person types, whether each name is long enough (ADMIN-08, ADMIN-09). */
export function followNames(page: Document): void {
  const form = page.querySelector<HTMLFormElement>("form[data-least]");
  const button = form?.querySelector("button");
  if (!form || !button) return;
  const fields = [...form.querySelectorAll<HTMLInputElement>(".field input")];
  const ready = () => fields.every((field) => [...field.value.trim()].length >= Number(form.dataset.least));
  const show = () => button.setAttribute("aria-disabled", String(!ready()));
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    if (!ready()) {
      event.preventDefault();
      fields.find((field) => [...field.value.trim()].length < Number(form.dataset.least))?.focus();
    }
  });
  show();
}
