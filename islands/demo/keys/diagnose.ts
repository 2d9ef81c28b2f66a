import { amountOf, currencyOf, digest, equal, type Hash, hex, type Input, join, partsOf, sum, trim } from "./keys";

/**
 * diagnose says why given is not the key of an input: the fewest common mistakes that lead to it, by the names that
 * internal/site/keys gives them. An empty list means that it is the key.
 */
export async function diagnose(hash: Hash, input: Input, given: string): Promise<string[]> {
  if (equal(given, await sum(hash, join(partsOf(input))))) return [];
  const trimmed = trim(given);
  if (trimmed === "") return ["empty"];
  const around = trimmed === given ? [] : ["space-around-key"];
  const other = hash === "sha1" ? "sha256" : "sha1";
  for (const { mistakes, preimage } of candidates(input)) {
    for (const made of [hash, other] as const) {
      const bytes = await digest(made, preimage);
      const key = hex(bytes);
      const how = made === hash ? mistakes : [...mistakes, "other-hash"];
      if (equal(trimmed, key)) return [...how, ...around];
      if (equal(trimmed.toLowerCase(), key)) return [...how, "upper-hex", ...around];
      if (equal(trimmed, btoa(String.fromCharCode(...bytes)))) return [...how, "base64", ...around];
    }
  }
  return [/^[0-9a-f]{32}$/i.test(trimmed) ? "md5" : "unknown"];
}

interface Candidate {
  preimage: string;
  mistakes: string[];
}

/** A part of the hashed text under a mistake; without one, the correct part. */
type Variant = readonly [text: string, mistake: string];

/** candidates returns the texts that common mistakes lead to, fewest mistakes first. */
function candidates(input: Input): Candidate[] {
  const all: Candidate[] = [];
  for (const [currency, wrongCurrency] of currencies(input.currency)) {
    for (const [amount, wrongAmount] of amounts(input.amount)) {
      for (const [preimage, wrongOrder] of arrangements(currency, amount, input.reference, input.secret)) {
        all.push({ preimage, mistakes: [wrongCurrency, wrongAmount, wrongOrder].filter((mistake) => mistake !== "") });
      }
    }
  }
  return all.sort((a, b) => a.mistakes.length - b.mistakes.length);
}

const currencies = (typed: string): Variant[] => [
  [currencyOf(typed), ""],
  [typed.toLowerCase(), "currency-lower"],
];

function amounts(typed: string): Variant[] {
  const fixed = amountOf(typed);
  const [whole = "", cents = ""] = fixed.split(".");
  return [
    [fixed, ""],
    [typed, "amount-not-fixed"],
    [fixed.replace(/\.?0+$/, ""), "amount-not-fixed"],
    [(whole + cents).replace(/^0+/, ""), "amount-minor"],
    [`${whole},${cents}`, "amount-comma"],
    [`${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${cents}`, "amount-grouped"],
  ];
}

function arrangements(currency: string, amount: string, reference: string, secret: string): Variant[] {
  const right = currency + amount + reference + secret;
  return [
    [right, ""],
    [currency + amount + secret + reference, "secret-swapped"],
    [secret + currency + amount + reference, "secret-first"],
    [amount + currency + reference + secret, "amount-first"],
    [currency + amount + reference, "secret-missing"],
    [currency + amount + secret, "reference-missing"],
    [`${right}\n`, "newline"],
    [`${right} `, "secret-space"],
    [currency + amount + reference + trim(secret), "secret-space"],
    [`${currency + amount + reference} ${secret}`, "reference-space"],
    [currency + amount + trim(reference) + secret, "reference-space"],
    ...[" ", "-", "_", "|", ":", ",", ".", "&", "+"].map(
      (between): Variant => [[currency, amount, reference, secret].join(between), "separator"],
    ),
  ];
}
