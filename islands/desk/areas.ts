/** The areas of a business with their tables, as rows that write the text. The text alone works too. */
import { foldInto } from "./hours";

/** An Area has a name, "" for tables without one, and its tables. */
export type Area = [name: string, tables: string];

/** read takes a text apart, a line for each area. */
export function read(text: string): Area[] {
  const lines = text.split("\n").filter((line) => line.trim());
  return lines.map((line) => {
    const [, name = "", tables = line] = /^([^:]*):(.*)$/.exec(line) ?? [];
    return [name.trim(), tables.trim()];
  });
}

/** write is the text of areas, without empty ones. */
export function write(areas: Area[]): string {
  return areas
    .filter((area) => area.some(Boolean))
    .map(([name, tables]) => (name ? `${name}: ${tables}` : tables))
    .join("\n");
}

/** inAreas puts the rows above the field of the text, which folds. One row is always free. */
export function inAreas(text: HTMLTextAreaElement): void {
  const field = text.closest<HTMLElement>(".field");
  if (!field || text.getAttribute("aria-invalid") === "true") return;
  const table = document.createElement("table");
  table.className = "rows matrix week";
  table.innerHTML = `<caption class="hint">1-12 makes twelve tables. Put commas between names.</caption>
    <thead><tr><th scope="col">Area</th><th scope="col">Tables</th></tr></thead><tbody></tbody>`;
  const areas = read(text.value);
  const add = (area: Area) => {
    const row = table.tBodies[0]?.insertRow();
    for (const [i, label] of ["Area", "Tables"].entries()) {
      const input = document.createElement("input");
      input.value = area[i] ?? "";
      input.autocomplete = "off";
      input.setAttribute("aria-label", `${label}, row ${areas.indexOf(area) + 1}`);
      input.addEventListener("input", () => {
        area[i] = input.value.trim();
        text.value = write(areas);
        if (area === areas.at(-1)) spare();
      });
      row?.insertCell().append(input);
    }
  };
  const spare = () => {
    areas.push(["", ""]);
    add(areas.at(-1) as Area);
  };
  for (const area of areas) add(area);
  spare();
  foldInto(table, field, "As text");
  text.addEventListener("input", () => table.remove());
}
