import { expect, test } from "vitest";
import { ownZone } from "./zone";

test.each([
  ["the browser's zone in the same country", "Australia/Brisbane", "Australia/Brisbane"],
  ["a browser on another continent", "Europe/London", "Australia/Sydney"],
  ["a zone that is not on the list", "Australia/Lord_Howe", "Australia/Sydney"],
  ["a browser without a zone", "", "Australia/Sydney"],
])("%s", (_, here, want) => {
  document.body.innerHTML =
    "<select><option>Australia/Brisbane</option><option selected>Australia/Sydney</option><option>Europe/London</option></select>";
  const zones = document.querySelector("select") as HTMLSelectElement;
  ownZone(zones, here);
  expect(zones.value).toBe(want);
});
