import { chevronDown } from "../../icons";
import { NoCallsYet } from "../../props.gen";
import { Icon } from "../../ui/parts";
import type { Entry } from "./calls";
import type { Payment } from "./payment";
import { fallback } from "./service";

/** CallLog shows a developer each call and its answer. */
export function CallLog({
  entries,
  payment,
  onClear,
}: {
  entries: readonly Entry[];
  payment: Payment | undefined;
  onClear(): void;
}) {
  return (
    <section className="card stack calls" aria-labelledby="calls-title">
      <header className="ways">
        <h2 id="calls-title">Calls</h2>
        {entries.length > 0 && (
          <button type="button" className="button quiet small" onClick={onClear}>
            Clear
          </button>
        )}
      </header>
      {payment && (
        <details className="disclosure">
          <summary>
            Payment payload
            <Icon path={chevronDown} />
          </summary>
          <p className="hint">What the page knows of the payment. Only ref and amount go to the terminal.</p>
          <pre>{JSON.stringify(payment, null, 2)}</pre>
        </details>
      )}
      {entries.length === 0 && <p className="hint">{NoCallsYet}</p>}
      {entries.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only what has the focus
        <ol aria-label="What was asked and answered, the newest first" tabIndex={0}>
          {entries.map((entry) => (
            <LoggedCall key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  );
}

function LoggedCall({ entry: { last, times } }: { entry: Entry }) {
  const { pathname, search } = new URL(last.url);
  const silent = last.answer === fallback;
  return (
    <li>
      <p className="hint ways">
        <code>
          GET {pathname}
          {search}
        </code>
        {times > 1 && <span>{times} times</span>}
        <span>{last.code || "no answer"}</span>
        <span>{last.took} ms</span>
      </p>
      {silent && <p className="hint">The client returned its fallback:</p>}
      <pre>{oneLine(last.answer)}</pre>
    </li>
  );
}

/** oneLine prints a value on one line that may wrap between its parts. */
function oneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
}
