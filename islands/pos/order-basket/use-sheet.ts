import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ignoreSecondTap } from "../second-tap";

/** Marks the history entry that an open sheet adds, so that the back button closes the sheet. */
interface Mark {
  order?: boolean;
}

export interface Sheet {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly isOpen: boolean;
  /** show opens it because of a press. */
  show(by: MouseEvent): void;
  hide(): void;
}

/** useSheet opens and closes the order view over the menu: a sheet on phones, a side column from lg up. atOnce opens it with the page. */
export function useSheet(atOnce: boolean): Sheet {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(atOnce);

  useEffect(() => {
    const followHistory = () => setOpen(isMarked());
    // Going back from the payment page leads to the menu.
    if (isMarked()) history.replaceState({ ...history.state, order: false } satisfies Mark, "");
    addEventListener("popstate", followHistory);
    return () => removeEventListener("popstate", followHistory);
  }, []);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!isOpen || !element) return;
    element.showModal();
    (element.querySelector<HTMLElement>("[aria-invalid]") ?? element.querySelector("h2"))?.focus();
    // Not every screen reader treats a modal dialog as one.
    const behind = document.querySelectorAll(".band, .chips, #menu, .bar, .foot");
    for (const part of behind) part.setAttribute("aria-hidden", "true");
    return () => {
      for (const part of behind) part.removeAttribute("aria-hidden");
      element.close();
    };
  }, [isOpen]);

  return {
    dialog,
    isOpen,
    show(by) {
      if (dialog.current) ignoreSecondTap(dialog.current, by);
      if (!isMarked()) {
        // Going back to an address with a fragment would scroll to the fragment and drop the focus.
        history.replaceState(history.state, "", location.pathname + location.search);
        history.pushState({ ...history.state, order: true } satisfies Mark, "");
      }
      setOpen(true);
    },
    hide() {
      if (isMarked()) history.back();
      else setOpen(false);
    },
  };
}

function isMarked(): boolean {
  return (history.state as Mark | null)?.order === true;
}
