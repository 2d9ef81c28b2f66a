import creditCardType from "credit-card-type";
import { Kept } from "../ui/kept";

/** Mark is the server's picture of a card that is accepted, by credit-card-type's name. */
export interface Mark {
  readonly type: string | undefined;
  readonly picture: Element | undefined;
}

/** marksOf reads the pictures from the server's list. */
export function marksOf(list: Element | undefined): Mark[] {
  return [...(list?.children ?? [])].map((mark) => ({
    type: (mark as HTMLElement).dataset.mark,
    picture: mark.firstElementChild ?? undefined,
  }));
}

/** Marks shows which cards are accepted, and highlights the one being typed once its first digits identify it. */
export function Marks({ marks, number }: { marks: readonly Mark[]; number: string }) {
  const fitting = creditCardType(number.replace(/\D/g, ""));
  const typed = fitting.length === 1 ? fitting[0] : undefined;
  return (
    <ul className="marks" aria-label="Accepted cards">
      {marks.map(({ type, picture }) => (
        <li key={type} data-mark={type} aria-current={typed?.type === type || undefined}>
          <Kept node={picture} />
        </li>
      ))}
      {typed && !marks.some(({ type }) => type === typed.type) && <li aria-current>{typed.niceType}</li>}
    </ul>
  );
}
