import { readFileSync } from "node:fs";
import { type ConfigData, HtmlValidate } from "html-validate";
import { expect, test } from "./test";
import { views } from "./views";

const rules = JSON.parse(readFileSync(".htmlvalidate.json", "utf8")) as ConfigData;
const validator = new HtmlValidate(rules);

// Without JavaScript the page is what the server sent, so what stands in it can be asked for again.
for (const [view, open] of Object.entries(views)) {
  test(`${view}: the server sends valid HTML`, { tag: "@nojs-only" }, async ({ menu, payment, page }) => {
    const documents: Promise<string>[] = [];
    page.on("response", (response) => {
      const redirect = response.status() >= 300 && response.status() < 400;
      if (response.request().isNavigationRequest() && !redirect) {
        documents.push(response.text());
      }
    });
    await open({ menu, payment });
    const html = await documents.at(-1);
    const report = await validator.validateString(html ?? "");
    const found = report.results.flatMap((result) =>
      result.messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`),
    );
    expect(found).toEqual([]);
  });
}
