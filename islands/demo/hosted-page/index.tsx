import { useRef, useState } from "react";
import type { Fallback } from "../../fallback";
import { arrowRight, chevronDown } from "../../icons";
import type { DemoField as Field, HostedPage as Props } from "../../props.gen";
import { Copy } from "../../ui/copy";
import { DemoField } from "../../ui/demo-field";
import { Icon, Notice } from "../../ui/parts";
import { join, partsOf, sum } from "../keys/keys";
import { Preimage } from "../keys/preimage";
import { useKey } from "../keys/use-key";
import { Code } from "./code";

export { mount } from "../../react-root";

const merchantField = "Merchant_User_Id";
const secretField = "Merchant_Secret";

/** HostedPage is the redirect form. Its key follows every change. The secret stays in the browser. */
export default function HostedPage({ props: page, fallback }: { props: Props; fallback: Fallback }) {
  const all = page.groups.flatMap((group) => group.fields);
  const [values, setValues] = useState(() =>
    Object.fromEntries(all.map(({ name }) => [name, fallback.fields[name]?.value ?? ""])),
  );
  const element = useRef<HTMLFormElement>(null);
  const keyField = useRef<HTMLInputElement>(null);
  const typed = (name: string) => values[name] ?? "";
  const parts = partsOf({
    currency: typed("currencydesc"),
    amount: typed("amount"),
    reference: typed("merchant_ref_number"),
    secret: typed(secretField),
  });
  const preimage = join(parts);
  const made = useKey("sha1", preimage);
  const missing = [merchantField, secretField].find((name) => typed(name) === "");
  const key = missing ? "" : made;

  async function send() {
    if (missing) {
      element.current?.querySelector<HTMLInputElement>(`[id="r-${missing}"]`)?.focus();
      return;
    }
    // The key on the screen may be one keystroke old.
    const current = await sum("sha1", preimage);
    if (keyField.current) keyField.current.value = current;
    element.current?.submit();
  }
  const field = (one: Field) => (
    <DemoField
      key={one.name}
      field={one}
      was={fallback.fields[one.name]}
      value={typed(one.name)}
      secret={one.name === secretField}
      onChange={(value) => setValues((now) => ({ ...now, [one.name]: value }))}
    />
  );
  return (
    <div className="split">
      <form
        ref={element}
        method="post"
        action={page.url}
        autoComplete="off"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {missing && <Notice>{page.notReady}</Notice>}
        {page.groups.map((group) =>
          group.title === "" ? (
            <div key="" className="fields">
              {group.fields.map(field)}
            </div>
          ) : (
            <details key={group.title} className="disclosure" open={group.open}>
              <summary>
                {group.title}
                <Icon path={chevronDown} />
              </summary>
              <div>
                <div className="fields">{group.fields.map(field)}</div>
              </div>
            </details>
          ),
        )}
        <div className="made">
          <label htmlFor="r-transactionkey">transactionkey</label>
          <Copy text={key} what="key" />
          <input ref={keyField} id="r-transactionkey" name="transactionkey" value={key} readOnly />
        </div>
        <button className="button primary" type="submit">
          Go to payment page
          <Icon path={arrowRight} />
        </button>
      </form>
      <div className="result">
        <div className="made">
          <h3>Preimage</h3>
          <Copy text={preimage} what="preimage" />
          <Preimage parts={parts} />
          <p className="hint">
            Refused? <a href="/demo/keygen#hps">Check your key</a> against the common mistakes.
          </p>
        </div>
        <Code
          samples={page.samples}
          url={page.url}
          fields={all.filter(({ name }) => name !== secretField).map(({ name }) => [name, typed(name)] as const)}
        />
      </div>
    </div>
  );
}
