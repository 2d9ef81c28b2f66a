import type { ReactNode } from "react";
import { circleAlert, triangleAlert } from "../icons.gen";

/** Icon draws one of icons.gen.ts as the server draws it. It is decoration: words say the same. */
export function Icon({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** Notice says at once, to the eye and to a screen reader, what went wrong and that nothing is lost. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="notice warning" role="alert">
      <Icon path={triangleAlert} />
      <div>{children}</div>
    </div>
  );
}

/** Problem says under a field what is wrong with it; nothing when all is well. */
export function Problem({ field, children }: { field: string; children: string | undefined }) {
  if (!children) return null;
  return (
    <p className="problem" id={`${field}-problem`}>
      <Icon path={circleAlert} />
      {children}
    </p>
  );
}
