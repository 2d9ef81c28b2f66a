import { useState } from "react";
import { type CodeSample, SameInCode, SecretHidden } from "../../props.gen";
import { Copy } from "../../ui/copy";
import { write } from "./samples";

/** Code shows the request in the chosen language. */
export function Code({
  samples,
  url,
  fields,
}: {
  samples: readonly CodeSample[];
  url: string;
  fields: readonly (readonly [string, string])[];
}) {
  const [chosen, setChosen] = useState(samples[0]?.id);
  const sample = samples.find(({ id }) => id === chosen);
  const text = sample ? write(sample, url, fields) : "";
  return (
    <div className="samples">
      <h3>{SameInCode}</h3>
      <p className="hint">{SecretHidden}</p>
      <div className="tabs">
        {samples.map(({ id, name }) => [
          <input
            key={id}
            type="radio"
            name="sample"
            id={`sample-${id}`}
            checked={id === chosen}
            onChange={() => setChosen(id)}
          />,
          <label key={`${id}-label`} htmlFor={`sample-${id}`}>
            {name}
          </label>,
        ])}
        <Copy text={text} what="sample" />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
        <section className="code" id={`code-${chosen}`} tabIndex={0} aria-label={`${sample?.name} sample`}>
          <pre>{text}</pre>
        </section>
      </div>
    </div>
  );
}
