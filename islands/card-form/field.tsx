import type { ChangeEvent } from "react";
import { Problem } from "../ui/parts";
import type { FieldName } from "./check";
import type { Edit, RawEdit } from "./format";

interface Props {
  id: string;
  name: FieldName;
  label: string;
  hint: string;
  value: string;
  problem: string;
  busy: string;
  autoComplete: string;
  type?: "text" | "email";
  placeholder?: string;
  enterKeyHint?: "next" | "go";
  /** The value is shown as dots. */
  masked?: boolean;
  required?: boolean;
  /** edit formats what was typed, pasted or filled in; without it the field takes anything. */
  edit?(edit: RawEdit): Edit;
  onChange(value: string): void;
  onLeave(): void;
}

/** CardField is one field of the card form. It has no maxlength, which would cut what browsers fill in. */
export function CardField({
  id,
  name,
  label,
  hint,
  value,
  problem,
  busy,
  masked,
  edit,
  onChange,
  onLeave,
  ...rest
}: Props) {
  function change(event: ChangeEvent<HTMLInputElement>) {
    const { target, nativeEvent } = event;
    if (!edit) return onChange(target.value);
    const caret = target.selectionStart ?? target.value.length;
    const next = edit({ raw: target.value, caret, deleted: deletion(nativeEvent, value, target.value) });
    // Set here, so that React finds nothing to change and leaves the caret alone.
    target.value = next.value;
    target.setSelectionRange(next.caret, next.caret);
    onChange(next.value);
  }
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
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
        name={name}
        type="text"
        inputMode={edit ? "numeric" : undefined}
        enterKeyHint="next"
        {...rest}
        value={value}
        onChange={change}
        onBlur={onLeave}
        readOnly={busy !== ""}
        className={masked ? "masked" : undefined}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      <Problem field={id}>{problem}</Problem>
    </div>
  );
}

function deletion(event: Event, before: string, after: string): RawEdit["deleted"] {
  if (!(event instanceof InputEvent)) return undefined;
  if (event.inputType === "deleteContentForward") return "right";
  // Some phone keyboards report a deletion as a composition.
  const composed = event.inputType === "insertCompositionText" && after.length < before.length;
  return event.inputType.startsWith("delete") || composed ? "left" : undefined;
}
