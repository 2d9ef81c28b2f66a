import { dollars } from "../basket/money";

/** Preparing replaces the order view while its transaction is created (POS-22). */
export function Preparing({ amount }: { amount: number }) {
  return (
    <div className="state" role="status">
      <span className="spinner" aria-hidden="true" />
      <h2 tabIndex={-1}>Preparing Payment</h2>
      <p className="money">{dollars(amount)}</p>
    </div>
  );
}
