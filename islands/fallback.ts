/** Fallback is what the server rendered in an island's place, as it was when React replaced it. */
export interface Fallback {
  /** Fields by name. */
  readonly fields: Readonly<Record<string, FallbackField>>;
}

export interface FallbackField {
  readonly id: string;
  readonly value: string;
  readonly hint: string;
  /** What the server found wrong with it; empty if nothing. */
  readonly problem: string;
}

export function readFallback(element: Element): Fallback {
  const fields: Record<string, FallbackField> = {};
  for (const { id, name, value } of element.querySelectorAll<HTMLInputElement>("input[name]")) {
    const text = (suffix: string) =>
      id ? (element.querySelector(`#${CSS.escape(id + suffix)}`)?.textContent.trim() ?? "") : "";
    fields[name] = { id, value, hint: text("-hint"), problem: text("-problem") };
  }
  return { fields };
}
