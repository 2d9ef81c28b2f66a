/**
 * The card form: the server's own form, made interactive in place. It does without React, so that guests on slow phones need not wait for it.
 */
import { afterPress, watchPresses } from "../../press";
import type { CardForm as Props } from "../../props.gen";
import { type Card, check, type FieldName, fieldNames, type Problems } from "./check";
import { fieldOf } from "./field";
import { editCard, editCVC, editExpiry } from "./format";
import { markTyped } from "./marks";
import { makePayment } from "./payment";

/** How fields are formatted. Other fields are not formatted. */
const edits = { card: editCard, exp: editExpiry, cvc: editCVC };

/** defineCardForm defines <fc-card-form>, which makes the form in it interactive. */
export function defineCardForm(): void {
  if (customElements.get("fc-card-form")) return;
  watchPresses();
  class CardForm extends HTMLElement {
    connectedCallback() {
      if (this.hasAttribute("hx-morph-skip")) return; // moved within the page
      enliven(this);
      // The server must not replace what a person is typing.
      this.setAttribute("hx-morph-skip", "");
    }
  }
  customElements.define("fc-card-form", CardForm);
}

function enliven(element: HTMLElement): void {
  const form = element.querySelector("form");
  const script = element.querySelector(':scope > script[type="application/json"]');
  if (!form || !script) return;
  const props = JSON.parse(script.textContent ?? "") as Props;
  const marks = form.querySelector(".marks");
  const fields = new Map(
    fieldNames.flatMap((name) => {
      const input = form.querySelector<HTMLInputElement>(`input[name="${name}"]`);
      return input ? [[name, fieldOf(input, edits[name as keyof typeof edits])] as const] : [];
    }),
  );
  const payment = makePayment(props, form, {
    refused: show,
    // No part of a card outlives its payment.
    done: () => {
      for (const field of fields.values()) field.value = "";
    },
  });

  function card(): Card {
    const value = (name: FieldName) => fields.get(name)?.value ?? "";
    return {
      name: value("name"),
      card: value("card"),
      exp: value("exp"),
      cvc: value("cvc"),
      email: value("email"),
    };
  }
  const found = (now = Date.now()) => check(card(), props.problems, now);

  /** show shows the problems at their fields and focuses the first. It returns true if there are none. */
  function show(problems: Problems): boolean {
    let first = true;
    for (const [name, field] of fields) {
      field.tell(problems[name] ?? "");
      if (problems[name] && first) {
        field.focus();
        first = false;
      }
    }
    return first;
  }

  for (const [name, field] of fields) {
    field.shape();
    // A problem shows when the field loses focus, and disappears once it is fixed. It would move the button that took the focus.
    field.listen({
      changed() {
        if (name === "card") markTyped(marks, field.value);
        if (field.problem && !found()[name]) field.tell("");
      },
      left() {
        afterPress(() => {
          if (field.value !== "") field.tell(found()[name] ?? "");
        });
      },
    });
  }
  markTyped(marks, fields.get("card")?.value ?? "");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    form.querySelector("#problems")?.remove();
    // By this device's clock a card may seem to have expired. Only the server knows.
    if (show(found(0))) void payment.send(card());
    else show(found());
  });
}
