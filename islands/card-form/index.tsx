import { useRef, useState } from "react";
import type { Fallback } from "../fallback";
import type { CardForm as Props } from "../props.gen";
import { Kept } from "../ui/kept";
import { Notice } from "../ui/parts";
import { type Card, check, type FieldName, fieldNames, type Problems } from "./check";
import { CardField } from "./field";
import { editCard, editCVC, editExpiry } from "./format";
import { Marks, marksOf } from "./marks";
import { usePayment } from "./use-payment";

export { mount } from "../react-root";

/** CardForm replaces the server's card form and looks the same. */
export default function CardForm({ props: form, fallback }: { props: Props; fallback: Fallback }) {
  const [card, setCard] = useState(() => typedCard(fallback));
  const [problems, setProblems] = useState(() => serverProblems(fallback));
  const [untouched, setUntouched] = useState(true);
  // Parts of the server's page that stay unchanged.
  const [kept] = useState(() => ({
    problems: fallback.copy("#problems"),
    button: fallback.copy("button[type=submit]")?.className ?? "button wide",
    assurance: fallback.copy(".assurance"),
    marks: marksOf(fallback.copy(".marks")),
  }));
  const element = useRef<HTMLFormElement>(null);
  const { payment, pay } = usePayment(form, {
    refused: (found) => show(found),
    // No part of a card outlives its payment.
    done: () => setCard(emptyCard),
  });

  function show(found: Problems) {
    setProblems(found);
    const first = fieldNames.find((name) => found[name]);
    if (first) element.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    return first === undefined;
  }
  function submit() {
    setUntouched(false);
    if (show(check(card, form.problems))) void pay(card);
  }
  /** A problem shows when the field loses focus, and disappears once it is fixed. */
  function leave(name: FieldName) {
    if (card[name] !== "") setProblems((now) => ({ ...now, [name]: check(card, form.problems)[name] ?? "" }));
  }
  function change(name: FieldName, value: string) {
    const next = { ...card, [name]: value };
    setCard(next);
    if (problems[name] && !check(next, form.problems)[name]) setProblems((now) => ({ ...now, [name]: "" }));
  }
  const common = (name: FieldName) => ({
    id: fallback.fields[name]?.id || name,
    name,
    value: card[name],
    hint: fallback.fields[name]?.hint ?? "",
    problem: problems[name] ?? "",
    busy: payment.busy,
    onChange: (value: string) => change(name, value),
    onLeave: () => leave(name),
  });

  return (
    <form
      ref={element}
      className="card-form"
      method="post"
      noValidate
      aria-busy={payment.busy !== ""}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {untouched && <Kept node={kept.problems} />}
      <fieldset className="card-fields">
        <legend>Pay by card</legend>
        <Marks marks={kept.marks} number={card.card} />
        <div className="card-block">
          <CardField {...common("name")} label="Name on Card" autoComplete="cc-name" required />
          <CardField {...common("card")} label="Card Number" autoComplete="cc-number" required edit={editCard} />
          <CardField
            {...common("exp")}
            label="Expiry"
            autoComplete="cc-exp"
            required
            placeholder="MM/YY"
            edit={editExpiry}
          />
          <CardField {...common("cvc")} label="CVC" autoComplete="cc-csc" required edit={editCVC} masked />
          <CardField
            {...common("email")}
            label="Customer Email"
            autoComplete="email"
            type="email"
            enterKeyHint="go"
            placeholder="For your receipt"
          />
        </div>
      </fieldset>
      {payment.message && <Notice>{payment.message}</Notice>}
      <button type="submit" className={kept.button} aria-disabled={payment.busy !== ""}>
        {payment.busy && <span className="spinner" aria-hidden="true" />}
        {payment.busy || form.payLabel}
      </button>
      <Kept node={kept.assurance} />
    </form>
  );
}

const emptyCard: Card = { name: "", card: "", exp: "", cvc: "", email: "" };

function typedCard({ fields }: Fallback): Card {
  const typed = (name: FieldName) => fields[name]?.value ?? "";
  const shaped = (edit: typeof editCard, name: FieldName) =>
    edit({ raw: typed(name), caret: typed(name).length }).value;
  return {
    name: typed("name"),
    card: shaped(editCard, "card"),
    exp: shaped(editExpiry, "exp"),
    cvc: shaped(editCVC, "cvc"),
    email: typed("email"),
  };
}

function serverProblems({ fields }: Fallback): Problems {
  return Object.fromEntries(fieldNames.map((name) => [name, fields[name]?.problem ?? ""]));
}
