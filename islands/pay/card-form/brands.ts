interface Brand {
  /** From low to high: the first digits of its cards. */
  readonly low: number;
  readonly high: number;
  readonly mark: string;
  readonly name: string;
}

/** The table of internal/kit/card/brand.go, whose test compares them. */
export const brands: readonly Brand[] = [
  { low: 34, high: 34, mark: "amex", name: "American Express" },
  { low: 37, high: 37, mark: "amex", name: "American Express" },
  { low: 3528, high: 3589, mark: "jcb", name: "JCB" },
  { low: 300, high: 305, mark: "diners", name: "Diners Club" },
  { low: 3095, high: 3095, mark: "diners", name: "Diners Club" },
  { low: 36, high: 36, mark: "diners", name: "Diners Club" },
  { low: 38, high: 39, mark: "diners", name: "Diners Club" },
  { low: 4, high: 4, mark: "visa", name: "Visa" },
  { low: 51, high: 55, mark: "mastercard", name: "Mastercard" },
  { low: 2221, high: 2720, mark: "mastercard", name: "Mastercard" },
  { low: 62, high: 62, mark: "unionpay", name: "UnionPay" },
  { low: 81, high: 81, mark: "unionpay", name: "UnionPay" },
  { low: 6011, high: 6011, mark: "discover", name: "Discover" },
  { low: 644, high: 649, mark: "discover", name: "Discover" },
  { low: 65, high: 65, mark: "discover", name: "Discover" },
  { low: 50, high: 50, mark: "maestro", name: "Maestro" },
  { low: 56, high: 58, mark: "maestro", name: "Maestro" },
  { low: 63, high: 63, mark: "maestro", name: "Maestro" },
  { low: 67, high: 67, mark: "maestro", name: "Maestro" },
];
