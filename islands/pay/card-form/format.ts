/** The content of a field after an edit, and where its caret belongs. */
export interface Edit {
  readonly value: string;
  readonly caret: number;
}

/** The field as the browser left it, before formatting. */
export interface RawEdit {
  readonly raw: string;
  readonly caret: number;
  /** Something was deleted, to the left or to the right of the caret. */
  readonly deleted?: "left" | "right" | undefined;
}

const maxCard = 20;
const maxCVC = 4;

/** editCard keeps digits only, at most 20, in groups of four (PAY-18 to PAY-20). */
export function editCard({ raw, caret, deleted }: RawEdit): Edit {
  const digits = digitsOf(raw).slice(0, maxCard);
  const left = Math.min(digitsOf(raw.slice(0, caret)).length, digits.length);
  const value = groupCard(digits);
  const place = left + Math.floor(Math.max(0, left - 1) / 4);
  return { value, caret: deleted === "right" && value[place] === " " ? place + 1 : place };
}

export function groupCard(digits: string): string {
  return digits.replace(/(\d{4})(?=\d)/g, "$1 ");
}

/**
 * editExpiry keeps a month and a year as MM/YY (PAY-21, PAY-22). Longer forms that people type, paste and that browsers fill in,
 * "10/2030", "2030-10", "1/30", "exp 10/30", are converted. A year that begins with 20 may become one of four digits, so it keeps them.
 */
export function editExpiry({ raw, caret, deleted }: RawEdit): Edit {
  const whole = deleted ? "" : wholeExpiry(plain(raw));
  if (whole) return { value: whole, caret: whole.length };
  let digits = digitsOf(raw);
  let left = digitsOf(raw.slice(0, caret)).length;
  // A month of one digit: only 0 and 1 begin a month of two digits.
  if (!deleted && (/^[2-9]$/.test(digits) || /^[1-9][\s/.-]/.test(raw))) {
    digits = `0${digits}`;
    left += 1;
  }
  digits = digits.slice(0, digits.startsWith("20", 2) ? 6 : 4);
  left = Math.min(left, digits.length);
  const slash = digits.length > 2 || (digits.length === 2 && !deleted);
  const beyond = left > 2 || (left === 2 && deleted !== "left");
  return {
    value: slash ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits,
    caret: slash && beyond ? left + 1 : left,
  };
}

/** plain returns a text in ASCII digits, without a word in front, dashes other than "-" and characters that nobody sees. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cf}]/gu, "")
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\p{Pd}−／]/gu, (sign) => (sign === "／" ? "/" : "-"))
    .replace(/^\s*\p{L}[\p{L}\s.]*[\s.:#]+/u, "");
}

/** wholeExpiry parses a year of four digits, or a month of one digit before a full year; "" for all others. */
function wholeExpiry(text: string): string {
  const yearLast =
    /^\s*(\d{1,2})\s*[/.\-\s]\s*(?:20(\d{2})|(?!20)(\d{2}))\s*$/.exec(text) ?? /^\s*(\d{2})20(\d{2})\s*$/.exec(text);
  if (yearLast) return `${yearLast[1]?.padStart(2, "0")}/${yearLast[2] ?? yearLast[3]}`;
  const yearFirst = /^\s*20(\d{2})\s*[/.-]\s*(\d{1,2})\s*$/.exec(text);
  return yearFirst ? `${yearFirst[2]?.padStart(2, "0")}/${yearFirst[1]}` : "";
}

/** editCVC keeps digits only, at most 4 (PAY-23). */
export function editCVC({ raw, caret }: RawEdit): Edit {
  const value = digitsOf(raw).slice(0, maxCVC);
  return { value, caret: Math.min(digitsOf(raw.slice(0, caret)).length, value.length) };
}

/** digitsOf returns the digits of a text, of whatever script, in ASCII. */
export function digitsOf(text: string): string {
  return text.replace(/\P{Nd}/gu, "").replace(/[^0-9]/gu, digitOf);
}

/** digitOf returns the value of a decimal digit. Unicode has the digits of each script in a row that begins with zero. */
function digitOf(digit: string): string {
  const own = digit.codePointAt(0) ?? 0;
  let zero = own;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((own - zero) % 10);
}
