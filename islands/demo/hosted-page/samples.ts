import type { CodeSample } from "../../props.gen";
import { amountOf, currencyOf } from "../keys/keys";

/** write fills a form's fields into a sample, as handlers/demo/samples.go does. */
export function write(sample: CodeSample, url: string, fields: readonly (readonly [name: string, value: string])[]) {
  const values = Object.fromEntries(fields);
  const { currencydesc = "", amount = "", merchant_ref_number = "" } = values;
  const quoted = (text: string) => quote(sample.quote, text);
  const frame = (text: string) =>
    fill(text, {
      url: quoted(url),
      preimage: quoted(currencyOf(currencydesc) + amountOf(amount) + merchant_ref_number),
    });
  const lines = fields.map(([name, value]) =>
    fill(sample.line, { name: quoted(name), value: quoted(value), pair: quoted(`${name}=${value}`) }),
  );
  return frame(sample.head) + lines.join("") + frame(sample.tail);
}

const fill = (text: string, by: Record<string, string>) =>
  text.replace(/\{(url|preimage|name|value|pair)\}/g, (hole, name: string) => by[name] ?? hole);

/** quote writes a text as a literal of a language. */
function quote(language: string, text: string): string {
  if (language === "shell") return `'${text.replaceAll("'", "'\\''")}'`;
  if (language === "php") return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  return JSON.stringify(text);
}
