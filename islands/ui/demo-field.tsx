import type { FallbackField } from "../fallback";
import type { DemoField as Props } from "../props.gen";
import { Problem } from "./parts";

/** DemoField is a field of a developer demo, rendered as the server renders it. A secret has no name, so that no form can post it. */
export function DemoField({
  field,
  was,
  value,
  secret,
  onChange,
  onLeave,
}: {
  field: Props;
  was: FallbackField | undefined;
  value: string;
  secret?: boolean;
  onChange(value: string): void;
  onLeave?(): void;
}) {
  const { id, name, label, type } = field;
  const hint = was?.hint ?? "";
  const problem = value === "" ? was?.problem : "";
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        id={id}
        name={secret ? undefined : name}
        type={type || "text"}
        inputMode={name === "amount" ? "decimal" : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        aria-invalid={problem ? true : undefined}
        aria-describedby={[hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ") || undefined}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onLeave}
      />
      <Problem field={id}>{problem}</Problem>
    </div>
  );
}
