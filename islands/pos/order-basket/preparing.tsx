/** Preparing replaces the order view while its transaction is created (POS-22). */
export function Preparing({ amount }: { amount: string }) {
  return (
    <div className="state" role="status">
      <span className="spinner" aria-hidden="true" />
      <h2 tabIndex={-1}>Preparing Payment</h2>
      <p className="money">{amount}</p>
    </div>
  );
}
