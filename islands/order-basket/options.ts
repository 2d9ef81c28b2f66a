import { choicesOf, type Line } from "../basket/summary";
import type { Choice } from "../props.gen";

/** optionsOf names what was chosen with an item, in the order of the menu: "Large, Oat milk". */
export function optionsOf({ key, item }: Line, choices: readonly Choice[]): string {
  const chosen = choicesOf(key, item);
  return choices
    .filter(({ id }) => chosen.includes(id))
    .map(({ name }) => name)
    .join(", ");
}

/** called names an unavailable line, with its option if that is what is missing. */
export function called(line: Line, choices: readonly Choice[]): string {
  const gone = choices.find(({ id, soldOut }) => soldOut && choicesOf(line.key, line.item).includes(id));
  return gone ? `${line.item.name} with ${gone.name}` : line.item.name;
}

/** noteOf reads the note to the kitchen out of a line of the basket, "" for none. */
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
