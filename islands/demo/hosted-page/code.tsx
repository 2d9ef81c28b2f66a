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
  return (
    <>
      <h3>{SameInCode}</h3>
      <p className="hint">{SecretHidden}</p>
      <div className="code-tabs">
        {samples.map(({ id, name }, i) => [
          <input key={id} type="radio" name="sample" id={`sample-${id}`} defaultChecked={i === 0} />,
          <label key={`${id}-label`} htmlFor={`sample-${id}`}>
            {name}
          </label>,
        ])}
        {samples.map((sample) => {
          const text = write(sample, url, fields);
          return (
            <section key={sample.id} className="panel" aria-label={`${sample.name} sample`}>
              <Copy text={text} what="sample" />
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
              <pre tabIndex={0}>{text}</pre>
            </section>
          );
        })}
      </div>
    </>
  );
}
