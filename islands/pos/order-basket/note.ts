/** noteOf returns the note to the kitchen in a line of the basket, "" for none. */
export function noteOf(key: string): string {
  const written = key.split("~")[2];
  if (!written) return "";
  try {
    const bytes = Uint8Array.from(atob(written.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return "";
  }
}
