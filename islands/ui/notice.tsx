import type { ReactNode } from "react";
import { Icon } from "./icon";

/** Notice says at once, to the eye and to a screen reader, what went wrong and that nothing is lost. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="notice warning" role="alert">
      <Icon name="triangle-alert" />
      <div>{children}</div>
    </div>
  );
}
