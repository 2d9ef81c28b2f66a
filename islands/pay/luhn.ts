/**
 * luhn reports whether the last digit of a card number is its check digit. All zeros would pass the sum, although no such card exists.
 */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (1 + (i % 2));
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum > 0 && sum % 10 === 0;
}
