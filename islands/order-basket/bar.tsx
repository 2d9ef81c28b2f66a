import { dollars } from "../basket/money";
import { itemCount } from "../basket/summary";
import { troubleText } from "./trouble";
import type { Trouble } from "./use-ordering";

interface Props {
  table: string;
  count: number;
  /** In cents. */
  total: number;
  /** The order view covers it. */
  behind: boolean;
  trouble: Trouble | undefined;
  onOpen(): void;
}

/** Bar replaces the server's bar and looks the same (POS-11 to POS-13). */
export function Bar({ table, count, total, behind, trouble, onOpen }: Props) {
  const inactive = total === 0;
  return (
    <div className="bar" data-count={count} aria-hidden={behind || undefined}>
      <div className="page">
        <p>
          {table && <span>Table {table}</span>}
          <output data-basket="count">{itemCount(count)}</output>
        </p>
        <output className="money" data-basket="total">
          {dollars(total)}
        </output>
        <button type="button" className="button" aria-disabled={inactive} onClick={() => inactive || onOpen()}>
          View Order
        </button>
      </div>
      {trouble && (
        <p className="toast" role="alert">
          {troubleText[trouble]}
        </p>
      )}
    </div>
  );
}
