import type { ReactNode } from "react";
import { circleAlert, triangleAlert } from "../icons";

/** Icon renders one of icons.ts as icon.ts does. */
export function Icon({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** Notice says what went wrong and that nothing is lost; screen readers announce it at once. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="notice warning" role="alert">
      <Icon path={triangleAlert} />
      <div>{children}</div>
    </div>
  );
}

/** Problem says under a field what is wrong with it; it renders nothing if nothing is wrong. */
export function Problem({ field, children }: { field: string; children: string | undefined }) {
  if (!children) return null;
  return (
    <p className="problem" id={`${field}-problem`}>
      <Icon path={circleAlert} />
      {children}
    </p>
  );
}
