interface Props {
  busy: string;
  problem: string;
  note: string;
}

/** Told is what the payer is told beside the wallets: what is under way, what went wrong, what they did themselves. */
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
