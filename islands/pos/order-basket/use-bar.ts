import { useEffect, useLayoutEffect } from "react";
import { paintBar } from "../basket/bar";

/** useBar shows the order's current price in the bar of the menu, and makes View Order open it in place (POS-13). */
export function useBar(count: number, total: number, sign: string, open: () => void): void {
  useLayoutEffect(() => paintBar({ count, total }, sign));
  useEffect(() => {
    const button = document.querySelector(".bar button");
    const press = (event: Event) => {
      event.preventDefault();
      if (total > 0) open();
    };
    button?.addEventListener("click", press);
    return () => button?.removeEventListener("click", press);
  });
}
