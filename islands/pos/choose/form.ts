import { MaxQty } from "../../props.gen";
import { price } from "../basket/money";
import type { BasketStore } from "../basket/store";

/** wireForm makes the form of an item show its price while it is filled in, and puts the item into the basket. */
export function wireForm(form: HTMLFormElement, store: BasketStore, done: () => void): void {
  form.noValidate = true; // our own messages, in our own words
  const groups = [...form.querySelectorAll<HTMLElement>(".group")];
  const button = form.querySelector<HTMLButtonElement>("[type=submit]");
  const missing = () => groups.find((group) => chosen(group).length < least(group));
  const paint = () => {
    groups.forEach(limit);
    const wrong = missing();
    const sum = price(Math.max(0, priceOf(form) * quantity(form)), form.dataset.sign ?? "");
    if (button)
      button.textContent = wrong ? `Choose ${lower(nameOf(wrong))}` : `${form.dataset.edit ? "Save" : "Add"} · ${sum}`;
    const output = form.querySelector(".step output");
    if (output) output.textContent = String(quantity(form));
  };
  form.addEventListener("input", paint);
  for (const [name, change] of Object.entries({ remove: -1, add: 1 })) {
    form.querySelector(`.step [name=${name}]`)?.addEventListener("click", () => {
      const field = form.querySelector<HTMLInputElement>("input[name=qty]");
      if (field) field.value = String(Math.min(MaxQty, Math.max(1, quantity(form) + change)));
      paint();
    });
  }
  form.addEventListener("submit", (event) => {
    const wrong = missing();
    event.preventDefault();
    if (wrong) {
      complain(wrong);
      return;
    }
    const { edit } = form.dataset;
    if (edit) store.add(edit, -MaxQty); // the line that it was
    store.add(keyOf(form), quantity(form));
    done();
  });
  paint();
}

/** keyOf spells the choices as the server does: "12~3-7", and "12~3-7~bm8" with a note; "12" where there is nothing to choose. */
export function keyOf(form: HTMLFormElement): string {
  const ids = chosen(form).map((input) => Number(input.value));
  const field = form.querySelector<HTMLInputElement>("input[name=note]");
  const note = field?.value.trim();
  if (!field && !form.querySelector(".group")) return String(form.dataset.of);
  const key = `${form.dataset.of}~${ids.sort((a, b) => a - b).join("-")}`;
  return note ? `${key}~${encode(note)}` : key;
}

function chosen(within: HTMLElement): HTMLInputElement[] {
  return [...within.querySelectorAll<HTMLInputElement>("input:checked")].filter((input) => input.value !== "");
}

function priceOf(form: HTMLFormElement): number {
  return chosen(form).reduce((sum, input) => sum + Number(input.dataset.price), Number(form.dataset.price));
}

function quantity(form: HTMLFormElement): number {
  const pieces = form.querySelector<HTMLInputElement>("input[name=qty]")?.valueAsNumber;
  return Math.min(MaxQty, Math.max(1, Math.trunc(pieces || 1)));
}

function least(group: HTMLElement): number {
  return Number(group.dataset.min);
}

function nameOf(group: HTMLElement): string {
  return group.querySelector("legend bdi")?.textContent ?? "";
}

/** lower makes a name part of a sentence: "Eggs" becomes "eggs", and "BBQ sauce" stays. */
function lower(name: string): string {
  return /^.\p{Lu}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

/** complain says at a group what has to be chosen there, as the server does, and leads to it. */
function complain(group: HTMLElement) {
  tell(group, true);
  group.querySelector<HTMLElement>("input:enabled")?.focus({ preventScroll: true });
  group.scrollIntoView({ block: "start" });
}

function tell(group: HTMLElement, wrong: boolean) {
  group.querySelector(".missing")?.toggleAttribute("hidden", !wrong);
  if (wrong) group.setAttribute("aria-describedby", `${group.id}-problem`);
  else group.removeAttribute("aria-describedby");
}

/** limit disables further choices once there are as many as allowed, and takes back the complaint once there are enough. */
function limit(group: HTMLElement) {
  const full = chosen(group).length >= Number(group.dataset.max);
  for (const box of group.querySelectorAll<HTMLInputElement>("input[type=checkbox]:not([data-gone])")) {
    box.disabled = full && !box.checked;
  }
  const enough = chosen(group).length >= least(group);
  group.classList.toggle("done", enough);
  if (enough) tell(group, false);
}

/** encode writes text as base64url. */
function encode(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
