import { NoTip, OtherTip, Tip, TipAmount, TipMissing } from "../../props.gen";
import { price } from "../basket/money";
import { Field } from "./field";
import { share } from "./tip";

interface Props {
  /** In percent. */
  tips: readonly number[];
  /** What the items come to, in cents. */
  items: number;
  sign: string;
  /** As the basket keeps it (tipOf). */
  tip: string;
  wrong: boolean;
  onTip(tip: string): void;
}

/** Tips asks for a tip. None is chosen at first. */
export function Tips({ tips, items, sign, tip, wrong, onTip }: Props) {
  const other = tip.startsWith("=");
  const chip = (value: string, name: string, amount?: number) => (
    <label key={value}>
      <input
        type="radio"
        name="tip"
        className="vh"
        checked={other ? value === "=" : value === tip}
        onChange={() => onTip(value)}
      />
      <span>
        {name} {amount !== undefined && <small className="money">{price(amount, sign)}</small>}
      </span>
    </label>
  );
  return (
    <fieldset className="tips">
      <legend>{Tip}</legend>
      {chip("", NoTip)}
      {tips.map((percent) => chip(String(percent), `${percent}%`, share(items, percent, 100)))}
      {chip("=", OtherTip)}
      {other && (
        <Field
          id="tip"
          label={TipAmount}
          inputMode="decimal"
          value={tip.slice(1)}
          onChange={(event) => onTip(`=${event.target.value}`)}
          wrong={wrong && TipMissing}
        />
      )}
    </fieldset>
  );
}
