import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { x } from "../../icons";
import {
  AddMore,
  ChooseSomething,
  MaxName,
  NameLabel,
  NameMissing,
  NoLonger,
  NothingChosen,
  ToPayment,
  ToTestPayment,
} from "../../props.gen";
import { isolated } from "../../ui/isolated";
import { Icon, Notice, Problem } from "../../ui/parts";
import { price } from "../basket/money";
import type { Line } from "../basket/summary";
import { OrderLine } from "./order-line";
import { Preparing } from "./preparing";
import type { Ordering } from "./use-ordering";

interface Props {
  live: boolean;
  /** Of the currency. */
  sign: string;
  table: string;
  name: string;
  lines: readonly Line[];
  /** In cents. */
  total: number;
  /** What has left the menu, and so the order. */
  left: string;
  ordering: Ordering;
  onChange(key: string, change: number): void;
  onEdit(key: string, pieces: number, by: MouseEvent): void;
  onRename(name: string): void;
  onBack(): void;
  onProceed(): void;
}

/** OrderView shows the order before it is paid (POS-15 to POS-22). */
export function OrderView({ live, sign, table, name, lines, total, left, ordering, ...act }: Props) {
  const [asked, setAsked] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a line takes its buttons away, and one of them may have had the focus
  useLayoutEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, [lines.length]);
  const nameless = table === "" && name.trim() === "";
  const gone = lines.filter(({ item }) => item.soldOut);

  function proceed(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setAsked(true);
    if (nameless) event.currentTarget.querySelector<HTMLInputElement>("#order-name")?.focus();
    else if (gone.length > 0) event.currentTarget.querySelector<HTMLElement>(".unavailable button")?.focus();
    else if (total > 0) act.onProceed();
  }

  if (ordering.preparing !== undefined) return <Preparing amount={price(ordering.preparing, sign)} />;
  return (
    <form className="stack" onSubmit={proceed} noValidate>
      <header className="line">
        <h2 ref={title} tabIndex={-1}>
          Your order
        </h2>
        <button type="button" className="tap" aria-label="Close" onClick={act.onBack}>
          <Icon path={x} />
        </button>
      </header>
      <button type="button" className="back" onClick={act.onBack}>
        {lines.length === 0 ? "Back to the menu" : AddMore}
      </button>
      {left && <Notice>{left}</Notice>}
      {lines.length === 0 ? (
        <p className="hint">
          {NothingChosen}. {ChooseSomething}
        </p>
      ) : (
        <>
          <ul className="lines order-lines">
            {lines.map((line) => (
              <OrderLine key={line.key} line={line} sign={sign} onChange={act.onChange} onEdit={act.onEdit} />
            ))}
          </ul>
          <p className="line total">
            <span>Total</span> <strong className="money">{price(total, sign)}</strong>
          </p>
          {table ? (
            <p className="seat">
              Table <bdi>{table}</bdi>
            </p>
          ) : (
            <NameField name={name} missing={asked && nameless} onRename={act.onRename} />
          )}
          <Trouble ordering={ordering} gone={gone} />
          <button
            type="submit"
            className="button primary wide"
            aria-disabled={total === 0 || gone.length > 0}
            data-total={price(total, sign)}
          >
            {live ? ToPayment : ToTestPayment}
          </button>
        </>
      )}
    </form>
  );
}

function NameField({ name, missing, onRename }: { name: string; missing: boolean; onRename(name: string): void }) {
  return (
    <div className="field">
      <label htmlFor="order-name">{NameLabel}</label>
      <input
        id="order-name"
        name="name"
        value={name}
        onChange={(event) => onRename(event.target.value)}
        autoComplete="given-name"
        enterKeyHint="go"
        maxLength={MaxName}
        required
        aria-invalid={missing || undefined}
        aria-describedby={missing ? "order-name-problem" : undefined}
      />
      <Problem field="order-name">{missing ? NameMissing : undefined}</Problem>
    </div>
  );
}

function Trouble({ ordering, gone }: { ordering: Ordering; gone: readonly Line[] }) {
  if (gone.length > 0) {
    const closed = new Set(gone.flatMap(({ item }) => item.closed || []));
    const names = gone.flatMap((line) =>
      line.item.closed ? [] : line.item.name + (line.gone ? ` with ${line.gone}` : ""),
    );
    const texts = [...closed, ...(names.length > 0 ? [`${NoLonger}: ${names.map(isolated).join(", ")}.`] : [])];
    return (
      <Notice>
        {texts.join(" ")} Remove {gone.length === 1 ? "it" : "them"} to continue.
      </Notice>
    );
  }
  if (!ordering.trouble || (ordering.trouble === "unavailable" && ordering.refused.size > 0)) return null;
  return (
    <Notice>
      {ordering.text}{" "}
      {(ordering.trouble === "price" || ordering.trouble === "unavailable") && (
        <a href={location.href}>Reload the menu</a>
      )}
    </Notice>
  );
}
