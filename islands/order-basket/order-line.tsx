import { dollars } from "../basket/money";
import type { Line } from "../basket/summary";

/** OrderLine is one chosen item with its quantity (POS-15); one that is no longer available can only be removed. */
export function OrderLine({ line, onChange }: { line: Line; onChange(id: number, change: number): void }) {
  const { item, pieces } = line;
  return (
    <li className={item.soldOut ? "line unavailable" : "line"}>
      {item.picture ? (
        <img src={item.picture} alt="" width="64" height="64" />
      ) : (
        <b className="tile" aria-hidden="true">
          {item.name[0]}
        </b>
      )}
      <div>
        <h3>{item.name}</h3>
        {item.soldOut ? <p>No longer available</p> : <p className="money">{dollars(pieces * item.priceMinor)}</p>}
      </div>
      {item.soldOut ? (
        <button
          type="button"
          className="button quiet"
          aria-label={`Remove ${item.name}`}
          onClick={() => onChange(item.id, -pieces)}
        >
          Remove
        </button>
      ) : (
        <div className="step">
          <button
            type="button"
            name="remove"
            aria-label={`Remove ${item.name}`}
            onClick={() => onChange(item.id, -1)}
          />
          <output>{pieces}</output>
          <button type="button" name="add" aria-label={`Add ${item.name}`} onClick={() => onChange(item.id, 1)} />
        </div>
      )}
    </li>
  );
}
