interface Props {
  busy: string;
  problem: string;
  note: string;
}

/** Told shows messages beside the wallets: what is in progress, what went wrong, what the payer cancelled. */
export function Told({ busy, problem, note }: Props) {
  return (
    <>
      {(busy || note) && (
        <p className="wallet-note" role="status">
          {busy || note}
        </p>
      )}
      {problem && (
        <div className="notice warning" role="alert">
          {problem}
        </div>
      )}
    </>
  );
}
