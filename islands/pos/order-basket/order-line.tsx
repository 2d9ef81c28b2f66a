import { NoLonger, NotNow } from "../../props.gen";
import { isolated } from "../../ui/isolated";
import { price } from "../basket/money";
import type { Line } from "../basket/summary";
import { noteOf } from "./note";

interface Props {
  line: Line;
  sign: string;
  onChange(key: string, change: number): void;
}

/** OrderLine is one chosen item with its quantity (POS-15); one that is no longer available can only be removed. */
export function OrderLine({ line, sign, onChange }: Props) {
  const { key, item, pieces } = line;
  const options = line.options.join(", ");
  const name = isolated(options ? `${item.name} with ${options}` : item.name);
  const note = noteOf(key);
  return (
    <li className={item.soldOut ? "line unavailable" : "line"}>
      {item.picture ? (
        <img src={item.picture} alt="" width="64" height="64" />
      ) : (
        <b className="tile" aria-hidden="true" data-initial={item.name[0]} />
      )}
      <div>
        <h3>
          <bdi>{item.name}</bdi>
        </h3>
        {options && (
          <p>
            <bdi>{options}</bdi>
          </p>
        )}
        {note && (
          <p>
            “<bdi>{note}</bdi>”
          </p>
        )}
        {item.soldOut ? (
          <p>{item.closed ? NotNow : NoLonger}</p>
        ) : (
          <p className="money">{price(pieces * item.priceMinor, sign)}</p>
        )}
      </div>
      {item.soldOut ? (
        <button
          type="button"
          className="button secondary"
          aria-label={`Remove ${name}`}
          onClick={() => onChange(key, -pieces)}
        >
          Remove
        </button>
      ) : (
        <div className="step">
          <button type="button" name="remove" aria-label={`Remove ${name}`} onClick={() => onChange(key, -1)} />
          <output>{pieces}</output>
          <button type="button" name="add" aria-label={`Add ${name}`} onClick={() => onChange(key, 1)} />
        </div>
      )}
    </li>
  );
}
