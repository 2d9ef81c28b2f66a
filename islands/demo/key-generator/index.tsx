import { useEffect, useState } from "react";
import type { Fallback } from "../../fallback";
import { check, triangleAlert } from "../../icons";
import { KeyDiffers, KeyMatches, type KeyTool as Props } from "../../props.gen";
import { Copy } from "../../ui/copy";
import { DemoField } from "../../ui/demo-field";
import { Icon } from "../../ui/parts";
import { diagnose } from "../keys/diagnose";
import { type Hash, type Input, join, type Part, partsOf } from "../keys/keys";
import { Preimage } from "../keys/preimage";
import { useKey } from "../keys/use-key";

export { mount } from "../../react-root";

const results: Record<string, string> = {
  sha256: "SHA-256",
  sha1: "SHA-1",
  hps: "transactionkey",
  api: "Merchant key",
};

/** KeyTool is one of the key generator's four tools. It hashes while a person types, and nothing leaves the browser. */
export default function KeyTool({ props: tool, fallback }: { props: Props; fallback: Fallback }) {
  const [values, setValues] = useState(() =>
    Object.fromEntries(tool.fields.map(({ name }) => [name, fallback.fields[name]?.value ?? ""])),
  );
  const hash = tool.hash as Hash;
  const typed = (name: string) => values[name] ?? "";
  const input: Input | undefined =
    "secret" in values
      ? {
          currency: typed("currency"),
          amount: typed("amount"),
          reference: typed("reference"),
          secret: typed("secret"),
        }
      : undefined;
  const parts: Part[] = input ? partsOf(input) : [{ name: "text", text: typed("text") }];
  const preimage = join(parts);
  const key = useKey(hash, preimage);
  const result = results[tool.tool] ?? "Key";
  return (
    <form className="split" onSubmit={(event) => event.preventDefault()}>
      <div>
        {tool.fields.map((field) => (
          <DemoField
            key={field.name}
            field={field}
            was={fallback.fields[field.name]}
            value={typed(field.name)}
            secret
            onChange={(value) => setValues((now) => ({ ...now, [field.name]: value }))}
          />
        ))}
      </div>
      <div className="result">
        <div className="made">
          <h3>Preimage</h3>
          <Copy text={preimage} what="preimage" />
          <Preimage parts={parts} />
        </div>
        <div className="made">
          <h3>{result}</h3>
          <Copy text={key} what="key" />
          <output className="code" aria-live="off">
            {key}
          </output>
        </div>
        {input && <Verdict hash={hash} input={input} given={typed("check")} words={tool.mistakes} />}
      </div>
    </form>
  );
}

/** Verdict says whether a given key is right and, if not, which mistakes explain it. */
function Verdict({
  hash,
  input: { currency, amount, reference, secret },
  given,
  words,
}: {
  hash: Hash;
  input: Input;
  given: string;
  words: Record<string, string>;
}) {
  const [mistakes, setMistakes] = useState<string[]>();
  useEffect(() => {
    let stale = false;
    if (given === "") setMistakes(undefined);
    else {
      void diagnose(hash, { currency, amount, reference, secret }, given).then((found) => {
        if (!stale) setMistakes(found);
      });
    }
    return () => {
      stale = true;
    };
  }, [hash, currency, amount, reference, secret, given]);
  return (
    <div aria-live="polite">
      {mistakes?.length === 0 && (
        <div className="notice good">
          <Icon path={check} />
          <p>{KeyMatches}</p>
        </div>
      )}
      {mistakes !== undefined && mistakes.length > 0 && (
        <div className="notice warning">
          <Icon path={triangleAlert} />
          <div>
            <h2>{KeyDiffers}</h2>
            <ul>
              {mistakes.map((mistake) => (
                <li key={mistake}>{words[mistake]}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
}
