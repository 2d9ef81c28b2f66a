import { useEffect } from "react";

interface Props {
  busy: string;
  problem: string;
  note: string;
}

/**
 * Told shows messages beside the wallets: a payment in progress, a failure, or that the payer cancelled. While a payment is in
 * progress, the card form is disabled.
 */
export function Told({ busy, problem, note }: Props) {
  useEffect(() => {
    document.querySelector("fc-card-form")?.toggleAttribute("inert", busy !== "");
  }, [busy]);
  return (
    <>
      {(busy || note) && <p role="status">{busy || note}</p>}
      {problem && (
        <div className="notice warning" role="alert">
          {problem}
        </div>
      )}
    </>
  );
}
