import type { InputHTMLAttributes } from "react";
import { Problem } from "../../ui/parts";

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  id: string;
  label: string;
  /** What is wrong with it. */
  wrong: string | false | undefined;
}

/** Field is a labelled control with its problem, as the server's. */
export function Field({ label, wrong, ...input }: Props) {
  const { id } = input;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} {...(wrong && { "aria-invalid": true, "aria-describedby": `${id}-problem` })} />
      <Problem field={id}>{wrong || undefined}</Problem>
    </div>
  );
}
