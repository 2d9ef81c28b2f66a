// Adds up what the checks of make test left in a folder, and ends with "N passed, N failed". A check leaves NAME.code, its exit code, and
// NAME.log, what it printed. A runner of tests leaves NAME.xml, too, its report in JUnit's form; any other check counts as one test.
//
//     node sum.mjs FOLDER NAME...
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, ...names] = process.argv.slice(2);
const passed = [];
const failed = [];
for (const name of names) {
  const tests = report(name);
  const code = read(`${name}.code`).trim();
  passed.push(...tests.filter((test) => !test.failed));
  failed.push(...tests.filter((test) => test.failed));
  if (code === "0" && (tests.length > 0 || !existsSync(join(folder, `${name}.xml`)))) {
    if (tests.length === 0) passed.push({ name, seconds: 0 });
  } else if (!tests.some((test) => test.failed)) {
    failed.push({
      name,
      said: `${read(`${name}.log`).slice(-2000)}\n${code === "0" ? "no test ran" : `exit code ${code || "unknown"}`}`,
    });
  }
}

for (const test of [...passed].sort((a, b) => b.seconds - a.seconds).slice(0, 10)) {
  if (test.seconds > 0) console.log(`slow: ${test.seconds.toFixed(1).padStart(5)} s  ${test.name}`);
}
for (const test of failed) console.log(`failed: ${test.name}\n${test.said.trim()}\n`);
console.log(`${passed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;

function read(file) {
  return existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "";
}

// report returns the tests of a check. A skipped test counts as failed. A Go test with subtests counts only if it failed by itself.
function report(check) {
  const buildErrors = /^=== Errors$[\s\S]*/m.exec(read(`${check}.log`))?.[0] ?? "";
  const cases = [...read(`${check}.xml`).matchAll(/<testcase\b((?:[^>"]|"[^"]*")*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)];
  const tests = cases.map(([, head, body = ""]) => ({
    name: `${attribute(head, "classname")} ${attribute(head, "name")}`,
    seconds: Number(attribute(head, "time")),
    failed: /<(failure|error|skipped)\b/.test(body),
    said: shortened(/\[(build|setup) failed\]/.test(body) ? buildErrors : plain(body).trim() || "skipped"),
  }));
  const parents = new Set();
  const parentsOfFailed = new Set();
  for (const test of tests) {
    for (let at = test.name.lastIndexOf("/"); at > 0; at = test.name.lastIndexOf("/", at - 1)) {
      parents.add(test.name.slice(0, at));
      if (test.failed) parentsOfFailed.add(test.name.slice(0, at));
    }
  }
  return tests.filter((test) => !(test.failed ? parentsOfFailed : parents).has(test.name));
}

function attribute(head, name) {
  return plain(new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1] ?? "");
}

function shortened(text) {
  return text.length > 2000 ? `${text.slice(0, 2000)} ...` : text;
}

// plain returns the text of a piece of XML.
function plain(xml) {
  const signs = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return xml
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;"))
    .replace(/<[^>]*>/g, "")
    .replace(/&#x([0-9A-Fa-f]+);|&#(\d+);|&(\w+);/g, (all, hex, decimal, name) =>
      name ? (signs[name] ?? all) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    );
}
