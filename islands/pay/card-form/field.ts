import { circleAlert } from "../../icons";
import { icon } from "../../ui/icon";
import type { Edit, RawEdit } from "./format";

/** Field is one input of the card form. It has no maxlength, which would cut what browsers fill in. */
export interface Field {
  value: string;
  /** What is wrong with it, as the page says; empty if nothing is wrong. */
  readonly problem: string;
  /** tell shows under the field what is wrong with it, or removes the text. */
  tell(problem: string): void;
  /** shape formats the value and keeps the caret in its place. */
  shape(): void;
  focus(): void;
  listen(to: { changed(): void; left(): void }): void;
}

/** fieldOf takes over an input as the server sent it. Without edit it does not format the value. */
export function fieldOf(input: HTMLInputElement, edit?: (raw: RawEdit) => Edit): Field {
  const id = `${input.id}-problem`;
  const hint = document.getElementById(`${input.id}-hint`);
  let told = document.getElementById(id);
  let before = input.value;

  function shape(deleted?: RawEdit["deleted"]): void {
    if (edit) {
      const caret = input.selectionStart ?? input.value.length;
      const next = edit({ raw: input.value, caret, deleted });
      if (next.value !== input.value) {
        input.value = next.value;
        // A caret in a field without the focus would take the focus in Safari.
        if (document.activeElement === input) input.setSelectionRange(next.caret, next.caret);
      }
    }
    before = input.value;
  }

  return {
    get value() {
      return input.value;
    },
    set value(text) {
      input.value = text;
      before = text;
    },
    get problem() {
      return told?.textContent?.trim() ?? "";
    },
    tell(problem) {
      told?.remove();
      told = null;
      if (problem) {
        told = document.createElement("p");
        told.className = "problem";
        told.id = id;
        told.append(icon(circleAlert), problem);
        input.after(told);
        input.setAttribute("aria-invalid", "true");
      } else input.removeAttribute("aria-invalid");
      const described = [hint?.id, told?.id].filter(Boolean).join(" ");
      if (described) input.setAttribute("aria-describedby", described);
      else input.removeAttribute("aria-describedby");
    },
    shape,
    focus: () => input.focus(),
    listen({ changed, left }) {
      input.addEventListener("input", (event) => {
        shape(deletion(event, before, input.value));
        changed();
      });
      input.addEventListener("blur", left);
    },
  };
}

function deletion(event: Event, before: string, after: string): RawEdit["deleted"] {
  if (!(event instanceof InputEvent)) return undefined;
  if (event.inputType === "deleteContentForward") return "right";
  // Some phone keyboards report a deletion as a composition.
  const composed = event.inputType === "insertCompositionText" && after.length < before.length;
  return event.inputType?.startsWith("delete") || composed ? "left" : undefined;
}
