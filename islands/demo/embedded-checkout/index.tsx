import { useEffect, useRef, useState } from "react";
import type { Fallback } from "../../fallback";
import type { EmbeddedCheckout as Props } from "../../props.gen";
import { DemoField } from "../../ui/demo-field";
import { Notice } from "../../ui/parts";
import { loadScript } from "./load-script";

export { mount } from "../../react-root";

/** Changing these does not reload the checkout; the visitor is asked to do that (HPS-12). */
const asked = ["merchantuserid", "publickey"];

/** EmbeddedCheckout lets the provider's script put its card form into the page, and loads it again at each Reload. */
export default function EmbeddedCheckout({ props: page, fallback }: { props: Props; fallback: Fallback }) {
  const [values, setValues] = useState(() =>
    Object.fromEntries(page.fields.map(({ name }) => [name, fallback.fields[name]?.value ?? ""])),
  );
  const [shown, setShown] = useState(values);
  const [away, setAway] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const { script, jquery, returnUrl } = page;

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    // The script reads the fields from here and renders inside, where React changes nothing.
    Object.assign(element.dataset, { checkout: "", ...shown, returnurl: returnUrl });
    const loading = new AbortController();
    loadScript(jquery, loading.signal)
      .then(() => loadScript(script, loading.signal))
      .then(
        () => setAway(false),
        () => {
          if (!loading.signal.aborted) setAway(true);
        },
      );
    return () => loading.abort();
  }, [shown, script, jquery, returnUrl]);

  const changed = (names: string[]) => names.some((name) => values[name] !== shown[name]);
  const ask = changed(asked);
  const reload = () => setShown({ ...values });
  return (
    <div className="split">
      <form
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          reload();
        }}
      >
        <div className="fields">
          {page.fields.map((field) => (
            <DemoField
              key={field.name}
              field={field}
              was={fallback.fields[field.name]}
              value={values[field.name] ?? ""}
              onChange={(value) => setValues((now) => ({ ...now, [field.name]: value }))}
              onLeave={() => {
                if (!ask && changed(Object.keys(values))) reload();
              }}
            />
          ))}
        </div>
        {ask && <Notice>{page.reloadPrompt}</Notice>}
        <button className="button secondary" type="submit">
          Reload
        </button>
      </form>
      <div className="result">
        {away && <Notice>The provider's checkout did not load. Reload tries again.</Notice>}
        <div ref={place} className="checkout" />
      </div>
    </div>
  );
}
