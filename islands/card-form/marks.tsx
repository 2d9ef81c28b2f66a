import { cardNumber } from "card-validator/dist/card-number.js";

/** The cards shown at all times, by card-validator's names. */
const marks = [
  ["visa", "Visa"],
  ["mastercard", "Mastercard"],
  ["american-express", "Amex"],
] as const;

/** Marks shows which cards are taken, and which one is being typed as soon as its first digits tell. */
export function Marks({ number }: { number: string }) {
  const typed = number ? cardNumber(number).card : null;
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
