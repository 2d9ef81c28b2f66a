/** share returns a part of an amount, to the nearest cent as the server does (order.share). */
export function share(amount: number, part: number, whole: number): number {
  return Math.round((amount * part) / whole);
}

/**
 * tipOf returns in cents what a tip comes to, as the basket keeps it: "" for none, "10" for a percentage, "=2.50" for an amount that is
 * typed; NaN if that is none.
 */
export function tipOf(chosen: string, items: number, offered: readonly number[]): number {
  if (!items || offered.length === 0) return 0;
  if (chosen.startsWith("=")) {
    const [, amount] = /^[$£]?(\d{1,6}(\.\d\d?)?)$/.exec(chosen.slice(1)) ?? [];
    return Math.round(Number(amount) * 100) || Number.NaN;
  }
  return share(items, offered.find((percent) => String(percent) === chosen) ?? 0, 100);
}
