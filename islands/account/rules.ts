import { check } from "./password";

/** wireRules shows what is wrong with a new password while it is typed, and holds the form back until nothing is wrong. */
export function wireRules(form: HTMLFormElement): void {
  const password = form.querySelector<HTMLInputElement>("#password");
  const confirm = form.querySelector<HTMLInputElement>("#confirm");
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  if (!password || !confirm || !button || button.dataset.ruled) return;
  button.dataset.ruled = "true";

  const judge = () => {
    const verdict = check(password.value, confirm.value);
    button.disabled = verdict !== "ok";
    return verdict;
  };
  const tell = () => {
    const verdict = judge();
    for (const field of [password, confirm]) {
      // A field that nobody has reached yet is not wrong.
      const wrong = verdict !== "ok" && verdict.field === field.name && field.value !== "";
      say(field, wrong ? verdict.message : "");
    }
  };
  form.addEventListener("input", (event) => {
    if (event.target === password || event.target === confirm) tell();
  });
  form.addEventListener("change", judge); // a password manager fills in without a keystroke
  judge();
}

/** say puts a message below its field, in place of the server's. */
function say(field: HTMLInputElement, message: string): void {
  document.getElementById(`${field.id}-problem`)?.remove();
  const place = document.getElementById(`${field.id}-live`);
  const text = place?.querySelector("span");
  if (!place || !text) return;
  place.hidden = message === "";
  if (text.textContent !== message) text.textContent = message;
  const described = (field.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .filter((id) => id && id !== place.id && id !== `${field.id}-problem`);
  if (message) {
    field.setAttribute("aria-invalid", "true");
    described.push(place.id);
  } else {
    field.removeAttribute("aria-invalid");
  }
  field.setAttribute("aria-describedby", described.join(" "));
}
