import { NoLonger, NotNow } from "../../props.gen";
import { isolated } from "../../ui/isolated";
import { price } from "../basket/money";
import type { Line } from "../basket/summary";
import { noteOf } from "./note";

interface Props {
  line: Line;
  sign: string;
  onChange(key: string, change: number): void;
  onEdit(key: string, pieces: number, by: MouseEvent): void;
}

/** OrderLine is one chosen item with its quantity (POS-15), which opens again; one that is no longer available can only be removed. */
export function OrderLine({ line, sign, onChange, onEdit }: Props) {
  const { key, item, pieces } = line;
  const options = line.options.join(", ");
  const name = isolated(options ? `${item.name} with ${options}` : item.name);
  const note = noteOf(key);
  return (
    <li className={item.soldOut ? "line unavailable" : "line"}>
      {item.picture && <img src={item.picture} alt="" width="56" height="56" />}
      <div className="what">
        <h3>
          {item.soldOut ? (
            <bdi>{item.name}</bdi>
          ) : (
            <button
              type="button"
              className="whole"
              aria-label={`Edit ${name}`}
              onClick={(event) => onEdit(key, pieces, event.nativeEvent)}
            >
              <bdi>{item.name}</bdi>
            </button>
          )}
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
        {item.soldOut && <p>{item.closed ? NotNow : NoLonger}</p>}
        {!item.soldOut && (options || note) && (
          <p>
            <u>Edit</u>
          </p>
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
        <div className="sum">
          <p className="money">{price(pieces * item.priceMinor, sign)}</p>
          <div className="step">
            <button type="button" name="remove" aria-label={`Remove ${name}`} onClick={() => onChange(key, -1)} />
            <output>{pieces}</output>
            <button type="button" name="add" aria-label={`Add ${name}`} onClick={() => onChange(key, 1)} />
          </div>
        </div>
      )}
    </li>
  );
}
