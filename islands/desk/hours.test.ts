import { expect, test } from "vitest";
import { overnight, read, weekly, write } from "./hours";

test.each([
  ["always", ""],
  ["days with the same times", "Mon-Fri 07:00-15:00\nSat 09:00-12:00"],
  ["days apart", "Mon 07:00-15:00\nWed 07:00-15:00"],
  ["past midnight, and a date", "Fri-Sat 18:00-02:00\n25 Dec 2026 closed"],
  [
    "a range, and holidays",
    "Mon 07:00-15:00\n25 Dec 2026 - 2 Jan 2027 closed\nGood Friday 08:00-12:00, 14:00-15:00\nPublic holidays closed",
  ],
])("hours are read and written alike: %s", (_, text) => {
  const week = read(text);
  expect(week && write(week)).toBe(text);
});

test.each(["Mon 07:00-11:00, 12:00-15:00", "weekdays 7am-3pm", "Mon 07:00-11:00; Mon 12:00-15:00"])(
  "what rows cannot say stays a text: %s",
  (text) => expect(read(text)).toBeUndefined(),
);

test.each([
  ["09:00", "17:00", ""],
  ["09:00", "", ""],
  ["18:00", "02:30", "Until 2:30 am the next day, 8 h 30 min"],
  ["09:00", "08:00", "Until 8:00 am the next day, 23 h"],
])("from %s to %s says: %s", (from, to, says) => expect(overnight([from, to]).toLowerCase()).toBe(says.toLowerCase()));

test("half a time is written, so that the server asks for the other half", () => {
  const times: [string, string][] = Array.from({ length: 7 }, () => ["", ""]);
  times[1] = ["09:00", ""];
  expect(write({ times, dates: [] })).toBe("Tue 09:00-");
});

test("a time in a row writes the text", () => {
  document.body.innerHTML = '<div class="field"><textarea>Mon-Tue 07:00-15:00\n1 Jan 2027 closed</textarea></div>';
  const text = document.querySelector("textarea") as HTMLTextAreaElement;
  weekly(text);
  const friday = [...document.querySelectorAll<HTMLInputElement>("[aria-label^=Friday]")];
  for (const [n, time] of friday.entries()) {
    time.value = ["18:00", "02:00"][n] ?? "";
    time.dispatchEvent(new Event("input"));
  }
  expect(text.value).toBe("Mon-Tue 07:00-15:00\nFri 18:00-02:00\n1 Jan 2027 closed");
  const said = document.getElementById(friday[1]?.getAttribute("aria-describedby") ?? "");
  expect(said?.textContent).toContain("the next day, 8 h");
});
