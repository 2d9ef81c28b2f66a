import type { ReactNode } from "react";

/** Icons from Lucide (ISC licence), drawn as the server draws them. They are decoration: words say the same. */
const paths = {
  "circle-alert": "M12 8v4M12 16h.01M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0",
  "triangle-alert": "m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01",
  x: "M18 6 6 18M6 6l12 12",
};

export function Icon({ name }: { name: keyof typeof paths }) {
  return <Drawn path={paths[name]} />;
}

export function Drawn({ path }: { path: string }) {
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
      <Icon name="triangle-alert" />
      <div>{children}</div>
    </div>
  );
}

/** Problem says under a field what is wrong with it; nothing when all is well. */
export function Problem({ field, children }: { field: string; children: string | undefined }) {
  if (!children) return null;
  return (
    <p className="problem" id={`${field}-problem`}>
      <Icon name="circle-alert" />
      {children}
    </p>
  );
}
