/** Fallback is what the server drew where an island is now, as it stood when React took its place. */
export interface Fallback {
  /** Fields by their name. */
  readonly fields: Readonly<Record<string, FallbackField>>;
  /** copy returns a copy of a part that the island keeps as it is. */
  copy(selector: string): Element | undefined;
}

export interface FallbackField {
  readonly id: string;
  readonly value: string;
  readonly hint: string;
  /** What the server found wrong with it, empty when nothing. */
  readonly problem: string;
}

export function readFallback(element: Element): Fallback {
  const parts = [...element.children];
  const fields: Record<string, FallbackField> = {};
  for (const { id, name, value } of element.querySelectorAll<HTMLInputElement>("input[name]")) {
    const text = (suffix: string) =>
      id ? (element.querySelector(`#${CSS.escape(id + suffix)}`)?.textContent.trim() ?? "") : "";
    fields[name] = { id, value, hint: text("-hint"), problem: text("-problem") };
  }
  return {
    fields,
    copy(selector) {
      for (const part of parts) {
        const found = part.matches(selector) ? part : part.querySelector(selector);
        if (found) return found.cloneNode(true) as Element;
      }
      return undefined;
    },
  };
}
