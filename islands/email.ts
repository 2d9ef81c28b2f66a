/** isEmail reports whether a text looks like an address. It only saves a round trip; the server decides. */
export function isEmail(text: string): boolean {
  return /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/.test(text);
}
