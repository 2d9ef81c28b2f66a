import creditCardType from "credit-card-type";

/** The cards shown at all times, by credit-card-type's names. */
const marks = [
  ["visa", "Visa"],
  ["mastercard", "Mastercard"],
  ["american-express", "Amex"],
] as const;

/** Marks shows which cards are accepted, and highlights the one being typed once its first digits identify it. */
export function Marks({ number }: { number: string }) {
  const fitting = creditCardType(number.replace(/\D/g, ""));
  const typed = fitting.length === 1 ? fitting[0] : undefined;
  const isOther = typed && !marks.some(([type]) => type === typed.type);
  return (
    <ul className="marks" aria-label="Accepted cards">
      {marks.map(([type, label]) => (
        <li key={type} data-mark={type} aria-current={typed?.type === type || undefined}>
          {label}
        </li>
      ))}
      {isOther && (
        <li data-mark={typed.type} aria-current>
          {typed.niceType}
        </li>
      )}
    </ul>
  );
}
