import { Icon } from "./icon";

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
