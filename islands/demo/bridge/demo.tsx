import { type FormEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Fallback } from "../../fallback";
import { NoAmount, type Bridge as Props } from "../../props.gen";
import { Problem } from "../../ui/parts";
import { CallLog } from "./call-log";
import { type Entry, log } from "./calls";
import { Panel } from "./panel";
import { type Customer, cents, payment as newPayment, type Payment } from "./payment";
import { type Run, type Screen, start } from "./run";
import { type Call, terminalService } from "./service";
import { terminalBridge } from "./terminal";

export { mount } from "../../react-root";

const customer: Customer = {
  firstName: "Ann",
  lastName: "Lee",
  phone: "+61 2 5550 0123",
  email: "ann.lee@example.com",
};

/** Bridge takes a payment at a terminal and shows every call that it makes. */
export default function Bridge({ props: { service }, fallback }: { props: Props; fallback: Fallback }) {
  const [amount, setAmount] = useState(fallback.fields.amount?.value ?? "");
  const [problem, setProblem] = useState(fallback.fields.amount?.problem ?? "");
  const [screen, setScreen] = useState<Screen>({ at: "idle" });
  const [payment, setPayment] = useState<Payment>();
  const [calls, setCalls] = useState<readonly Entry[]>([]);
  const heard = useCallback((call: Call) => setCalls((before) => log(before, call)), []);
  const bridge = useMemo(() => terminalBridge(terminalService(service, heard)), [service, heard]);
  const run = useRef<Run>(undefined);
  const latest = useRef("");
  const box = useFocusKept(screen.at);
  useEffect(() => () => run.current?.stop(), []);

  function pay(event: FormEvent) {
    event.preventDefault();
    const asked = cents(amount.trim());
    if (asked === 0) {
      setProblem(NoAmount);
      box.current?.querySelector("input")?.focus();
      return;
    }
    setProblem("");
    const next = newPayment(customer, asked, "Terminal demo", Date.now());
    setPayment(next);
    latest.current = next.ref;
    run.current = start(bridge, next, (shown) => {
      // A cancelled payment's late answer must not replace the screen of the next one.
      if (latest.current === next.ref) setScreen(shown);
    });
  }

  return (
    <div className="split">
      <div ref={box}>
        {screen.at === "idle" ? (
          <form className="card stack" onSubmit={pay} noValidate>
            {screen.cancelled && (
              <p className="notice" role="status">
                Last payment: {screen.cancelled.status}
              </p>
            )}
            <div className="field">
              <label htmlFor="amount">Amount in AUD</label>
              <input
                id="amount"
                name="amount"
                inputMode="decimal"
                autoComplete="off"
                enterKeyHint="go"
                value={amount}
                onChange={(event) => setAmount(event.target.value)}
                aria-invalid={problem ? true : undefined}
                aria-describedby={problem ? "amount-problem" : undefined}
              />
              <Problem field="amount">{problem}</Problem>
            </div>
            <button type="submit" className="button primary wide">
              Process Payment
            </button>
          </form>
        ) : (
          <Panel
            screen={screen}
            amount={payment?.amount ?? ""}
            onCancel={() => run.current?.cancel()}
            onNext={() => setScreen({ at: "idle" })}
          />
        )}
      </div>
      <div className="result">
        <CallLog entries={calls} payment={payment} onClear={() => setCalls([])} />
      </div>
    </div>
  );
}

/** useFocusKept moves the focus from a button that disappeared to the one that replaced it. */
function useFocusKept(screen: Screen["at"]) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(screen);
  useLayoutEffect(() => {
    if (before.current === screen) return;
    before.current = screen;
    if (document.activeElement === document.body) box.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [screen]);
  return box;
}
