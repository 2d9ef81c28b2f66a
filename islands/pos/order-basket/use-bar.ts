import { useEffect, useLayoutEffect } from "react";
import { paintBar } from "../basket/bar";

/** useBar shows the order's current price in the bar of the menu, and makes View Order open it in place (POS-13). */
export function useBar(count: number, total: number, sign: string, open: (by: MouseEvent) => void): void {
  useLayoutEffect(() => paintBar({ count, total }, sign));
  useEffect(() => {
    const button = document.querySelector<HTMLButtonElement>(".bar button");
    const press = (event: MouseEvent) => {
      event.preventDefault();
      if (total > 0) open(event);
    };
    button?.addEventListener("click", press);
    if (button?.ariaBusy === "true") {
      button.ariaBusy = null; // a press that has waited for this (wireMenu)
      const { left, top, width, height } = button.getBoundingClientRect();
      press(new MouseEvent("click", { detail: 1, clientX: left + width / 2, clientY: top + height / 2 }));
    }
    return () => button?.removeEventListener("click", press);
  });
}
