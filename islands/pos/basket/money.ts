/** Amounts are whole numbers of cents, as everywhere in the program. The package internal/kit/money prints the same on the server. */

/** wire prints cents as the JSON calls carry them: "1000.52". */
export function wire(minor: number): string {
  return `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, "0")}`;
}

/** price prints cents for people after the sign of their currency: "$1,000.52" (POS-10, CONST-01). */
export function price(minor: number, sign: string): string {
  return `${sign}${wire(minor).replace(/\B(?=(\d{3})+\.)/g, ",")}`;
}

/** minor parses the server's "12.50" into cents; undefined when it is not an amount. */
export function minor(text: unknown): number | undefined {
  return typeof text === "string" && /^\d{1,6}\.\d\d$/.test(text) ? Number(text.replace(".", "")) : undefined;
}
