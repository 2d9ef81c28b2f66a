import { check, circleAlert, clock, x } from "../../icons";
import { Icon } from "../../ui/parts";
import type { Screen } from "./run";
import { fallback, type Status } from "./service";

/** Panel shows the state of a payment and the one thing that can be done next. */
export function Panel({
  screen,
  amount,
  onCancel,
  onNext,
}: {
  screen: Exclude<Screen, { at: "idle" }>;
  amount: string;
  onCancel(): void;
  onNext(): void;
}) {
  return (
    <div className="card state terminal" data-result={result(screen)}>
      <p className="money">${amount}</p>
      <Mark screen={screen} />
      <div role="status">
        <p className="word">{words(screen)}</p>
        {"status" in screen && <Meaning status={screen.status} />}
      </div>
      {(screen.at === "connecting" || screen.at === "paying") && (
        <button type="button" className="button secondary wide" onClick={onCancel}>
          Cancel
        </button>
      )}
      {screen.at === "finished" && (
        <button type="button" className="button primary wide" onClick={onNext}>
          Next
        </button>
      )}
    </div>
  );
}

function words(screen: Exclude<Screen, { at: "idle" }>): string {
  if (screen.at === "connecting") return "Connecting";
  if (screen.at === "no device") return "No device connected";
  return screen.status.status;
}

/** result returns the colour for the end of a payment. */
function result(screen: Screen): "good" | "bad" | undefined {
  if (screen.at !== "finished" || screen.status === fallback) return undefined;
  return screen.status.status === "approved" ? "good" : "bad";
}

const meanings: Record<string, string> = {
  processing: "The customer holds the card to the terminal.",
  approved: "The payment went through.",
  declined: "The card was declined. Nothing was charged.",
  timeout: "Nobody held a card to the terminal in time. Nothing was charged.",
  cancelled: "The payment was cancelled. Nothing was charged.",
  busy: "The terminal is at another payment. This one was not started.",
};

function Meaning({ status }: { status: Status }) {
  if (status === fallback) return <p className="pill warning">Simulated status</p>;
  const meaning = meanings[status.status];
  return meaning ? <p className="hint">{meaning}</p> : null;
}

function Mark({ screen }: { screen: Screen }) {
  if (screen.at === "connecting" || screen.at === "paying") return <span className="spinner" aria-hidden="true" />;
  if (screen.at !== "finished") return <Icon path={circleAlert} />;
  if (screen.status.status === "approved") return <Icon path={check} />;
  if (screen.status.status === "timeout" || screen.status === fallback) return <Icon path={clock} />;
  return <Icon path={x} />;
}
