/** The seven days of opening hours as rows that write their text. The text alone works too, and holds what rows cannot say. */

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const line = /^(\w{3})(?:-(\w{3}))? (\d\d:\d\d)-(\d\d:\d\d)$/;

/** Lines about dates and public holidays, as the server writes them: days have three letters there. */
const dated = /^(?:\d|(?!(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b).+ (?:closed|\d\d:\d\d-\d\d:\d\d)$)/;

/** A Week has the opening and closing time of each day, Monday first ("" where it is closed), and the lines about dates and holidays. */
export type Week = { times: [from: string, to: string][]; dates: string[] };

/** read understands hours as the server writes them. It returns nothing for a text that says more than a row for each day can. */
export function read(text: string): Week | undefined {
  const week: Week = { times: days.map(() => ["", ""]), dates: [] };
  for (const one of text.split(/[\n;]/).map((l) => l.trim())) {
    if (dated.test(one)) week.dates.push(one);
    else if (one) {
      const [, first, last, from, to] = line.exec(one) ?? [];
      const begin = days.indexOf(first ?? "");
      const end = last ? days.indexOf(last) : begin;
      if (begin < 0 || end < begin || !from || !to) return undefined;
      for (let day = begin; day <= end; day++) {
        if (week.times[day]?.[0]) return undefined;
        week.times[day] = [from, to];
      }
    }
  }
  return week;
}

/** write is the text of hours, with days in a row that have the same times in one line. */
export function write({ times, dates }: Week): string {
  const said = times.map(([from, to]) => (from || to ? `${from}-${to}` : ""));
  const lines: string[] = [];
  for (let day = 0; day < 7; day++) {
    const first = day;
    while (day < 6 && said[day + 1] === said[first]) day++;
    if (said[first]) lines.push(`${days[first]}${day > first ? `-${days[day]}` : ""} ${said[first]}`);
  }
  return [...lines, ...dates].join("\n");
}

const minute = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** overnight says what was understood of times that pass midnight, which may be a slip; "" of others. */
export function overnight([from, to]: [from: string, to: string]): string {
  if (!from || !to || from <= to) return "";
  const end = new Date(`1970-01-01T${to}`).toLocaleTimeString("en-AU", { hour: "numeric", minute: "2-digit" });
  const long = minute(to) - minute(from) + 24 * 60;
  return `Until ${end} the next day, ${Math.floor(long / 60)} h${long % 60 ? ` ${long % 60} min` : ""}`;
}

/** weekly puts the rows above the field of the text, which folds. */
export function weekly(text: HTMLTextAreaElement): void {
  const week = read(text.value);
  const field = text.closest<HTMLElement>(".field");
  if (!week || !field || text.getAttribute("aria-invalid") === "true") return;
  const table = document.createElement("table");
  table.className = "rows matrix week";
  table.innerHTML = `<caption class="hint">A day without times is closed. Without any times it is always open.</caption>
    <thead><tr><td></td><th scope="col">From</th><th scope="col">To</th></tr></thead><tbody></tbody>`;
  for (const [day, times] of week.times.entries()) {
    const row = table.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = names[day] ?? "";
    row.append(head);
    const note = document.createElement("td");
    note.id = `night-${day}`;
    note.colSpan = 2;
    const below = document.createElement("tr");
    const tell = () => {
      note.textContent = overnight(times);
      below.hidden = note.textContent === "";
    };
    tell();
    for (const end of [0, 1] as const) {
      const time = document.createElement("input");
      time.type = "time";
      time.value = times[end].replace("24:00", "00:00"); // the end of a day, which a field for times cannot show
      time.setAttribute("aria-label", `${names[day]} ${end ? "to" : "from"}`);
      time.addEventListener("input", () => {
        times[end] = time.value;
        text.value = write(week);
        tell();
      });
      if (end) time.setAttribute("aria-describedby", note.id);
      row.insertCell().append(time);
    }
    below.insertCell();
    below.append(note);
    row.after(below);
  }
  const fold = document.createElement("details");
  fold.className = "disclosure";
  fold.innerHTML = "<summary>As text, with dates, holidays and breaks</summary>";
  const chevron = document.querySelector(".you > summary > svg:last-child")?.cloneNode(true); // importing it would cost each page a request
  if (chevron) fold.querySelector("summary")?.append(chevron);
  field.before(table, fold);
  const help = field.nextElementSibling;
  fold.append(field);
  if (help?.classList.contains("hint")) fold.append(help);
  text.addEventListener("input", () => table.remove());
}
