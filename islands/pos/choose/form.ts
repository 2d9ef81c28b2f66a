import { MaxQty } from "../../props.gen";
import { price } from "../basket/money";
import type { BasketStore } from "../basket/store";

/** wireForm makes the form of an item show its price while it is filled in, and puts the item into the basket. */
export function wireForm(form: HTMLFormElement, store: BasketStore, done: () => void): void {
  const paint = () => {
    for (const group of form.querySelectorAll<HTMLElement>(".group")) limit(group);
    const output = form.querySelector("button output");
    if (output) output.textContent = price(Math.max(0, priceOf(form) * quantity(form)), form.dataset.sign ?? "");
  };
  form.addEventListener("input", paint);
  form.addEventListener("submit", (event) => {
    const wrong = [...form.querySelectorAll<HTMLElement>(".group")].find(
      (group) => chosen(group).length < least(group),
    );
    event.preventDefault();
    if (wrong) {
      wrong.classList.add("missing");
      wrong.querySelector<HTMLElement>("input:enabled")?.focus();
      return;
    }
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
  if (!field && !form.querySelector(".group")) return String(form.dataset.of); // nothing to choose
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

/** limit disables further choices once there are as many as allowed. */
function limit(group: HTMLElement) {
  const full = chosen(group).length >= Number(group.dataset.max);
  for (const box of group.querySelectorAll<HTMLInputElement>("input[type=checkbox]:not([data-gone])")) {
    box.disabled = full && !box.checked;
  }
  if (chosen(group).length >= least(group)) group.classList.remove("missing");
}

/** encode writes text as base64url. */
function encode(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
