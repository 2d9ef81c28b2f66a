import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { x } from "../../icons";
import {
  AddMore,
  type Basket,
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
import { Icon, Notice } from "../../ui/parts";
import { price } from "../basket/money";
import type { Line } from "../basket/summary";
import { Field } from "./field";
import { OrderLine } from "./order-line";
import { Preparing } from "./preparing";
import { Tips } from "./tips";
import type { Ordering } from "./use-ordering";

type Seating = Pick<Basket, "table" | "stray" | "wrong">;

interface Props {
  live: boolean;
  /** Of the currency. */
  sign: string;
  seat: Seating;
  name: string;
  lines: readonly Line[];
  /** What they come to, in cents. */
  items: number;
  /** What the total is made of. */
  sums: readonly (readonly [string, number])[];
  /** In cents. */
  total: number;
  /** The tips to choose from, in percent. */
  tips: readonly number[];
  /** The one that is chosen, as the basket keeps it. */
  tip: string;
  /** It is an amount that can be none. */
  tipless: boolean;
  /** What has left the menu, and so the order. */
  left: string;
  ordering: Ordering;
  onChange(key: string, change: number): void;
  onEdit(key: string, pieces: number, by: MouseEvent): void;
  onRename(name: string): void;
  onTip(tip: string): void;
  onBack(): void;
  onProceed(): void;
}

/** OrderView shows the order before it is paid (POS-15 to POS-22). */
export function OrderView({ live, sign, seat, name, lines, total, left, ordering, ...act }: Props) {
  const [asked, setAsked] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a line takes its buttons away, and one of them may have had the focus
  useLayoutEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, [lines.length]);
  const { table } = seat;
  const nameless = table === "" && name.trim() === "";
  const gone = lines.filter(({ item }) => item.soldOut);

  function proceed(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setAsked(true);
    const form = event.currentTarget;
    const wrong = nameless ? "#order-name" : gone.length > 0 ? ".unavailable button" : act.tipless && "#tip";
    // Once what is wrong is drawn, so that the sheet can scroll to it.
    if (wrong) queueMicrotask(() => form.querySelector<HTMLElement>(wrong)?.focus());
    else if (total > 0) act.onProceed();
  }

  if (ordering.preparing !== undefined) return <Preparing amount={price(ordering.preparing, sign)} />;
  return (
    <>
      <div className="close">
        <button type="button" className="tap" aria-label="Close" onClick={act.onBack}>
          <Icon path={x} />
        </button>
      </div>
      <header>
        <h2 ref={title} tabIndex={-1}>
          Your order
        </h2>
        {(table || seat.wrong) && <Seat {...seat} />}
      </header>
      <form className="stack" onSubmit={proceed} noValidate>
        {left && <Notice>{left}</Notice>}
        {lines.length === 0 ? (
          <>
            <p className="hint">
              {NothingChosen}. {ChooseSomething}
            </p>
            <button type="button" className="button secondary" onClick={act.onBack}>
              Back to the menu
            </button>
          </>
        ) : (
          <>
            <ul className="lines order-lines">
              {lines.map((line) => (
                <OrderLine key={line.key} line={line} sign={sign} onChange={act.onChange} onEdit={act.onEdit} />
              ))}
            </ul>
            <button type="button" className="button quiet more" onClick={act.onBack}>
              {AddMore}
            </button>
            {!table && (
              <Field
                id="order-name"
                name="name"
                label={NameLabel}
                value={name}
                onChange={(event) => act.onRename(event.target.value)}
                autoComplete="given-name"
                enterKeyHint="go"
                maxLength={MaxName}
                required
                wrong={asked && nameless && NameMissing}
              />
            )}
            {act.tips.length > 0 && <Tips {...act} sign={sign} wrong={asked && act.tipless} />}
            <Trouble ordering={ordering} gone={gone} />
            {act.sums.length > 1 && (
              <div>
                {act.sums.map(([what, amount]) => (
                  <p key={what} className="line">
                    <span>{what}</span> <span className="money">{price(amount, sign)}</span>
                  </p>
                ))}
              </div>
            )}
            <div className="dock">
              <p className="line total">
                <span>Total</span> <strong className="money">{price(total, sign)}</strong>
              </p>
              <button type="submit" className="button primary" aria-disabled={total === 0 || gone.length > 0}>
                {live ? ToPayment : ToTestPayment}
              </button>
            </div>
          </>
        )}
      </form>
    </>
  );
}

/** Seat names the table, which a guest who has moved changes: the menu comes again for the other one, and the basket stays. */
function Seat({ table, stray, wrong }: Seating) {
  return (
    <details className="disclosure seat" open={Boolean(wrong)}>
      <summary>
        {table && (
          <>
            <span>
              Table <bdi>{table}</bdi>
            </span>
            {" · "}
          </>
        )}
        <u>Change</u>
      </summary>
      <form className="ways" action={location.pathname}>
        {new URLSearchParams(location.search).getAll("f").map((code) => (
          <input key={code} type="hidden" name="f" value={code} />
        ))}
        <input type="hidden" name="at" value={table} />
        <Field
          id="table"
          name="t"
          label="Your table"
          defaultValue={stray || table}
          maxLength={MaxName}
          required
          wrong={wrong}
        />
        <button type="submit" className="button secondary">
          Change table
        </button>
      </form>
    </details>
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
