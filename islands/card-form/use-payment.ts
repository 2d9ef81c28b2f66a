import { useRef, useState } from "react";
import { isWeb, showOutcome } from "../payment/outcome";
import type { CardForm } from "../props.gen";
import type { Card, Problems } from "./check";
import { pay } from "./pay";

export interface Payment {
  /** The button's words while the payment is in progress; empty otherwise. */
  readonly busy: string;
  /** A message beside the problems of single fields. */
  readonly message: string;
}

interface Callbacks {
  refused(problems: Problems): void;
  done(): void;
}

/** usePayment sends a card once and follows it until the page shows the outcome. */
export function usePayment(form: CardForm, { refused, done }: Callbacks) {
  const [payment, setPayment] = useState<Payment>({ busy: "", message: "" });
  const busy = useRef(false);

  function rest(message: string) {
    busy.current = false;
    setPayment({ busy: "", message });
  }
  async function send(card: Card) {
    if (busy.current) return;
    busy.current = true;
    setPayment({ busy: "Processing…", message: "" });
    if (form.demo) {
      await new Promise((resolve) => setTimeout(resolve, form.demoDelay));
      await look(form.demoUrl, demoStays);
      return;
    }
    const answer = await pay(form, card);
    switch (answer.kind) {
      case "refused":
        rest(Object.keys(answer.problems).length > 0 ? "" : answer.message || stillOpen);
        refused(answer.problems);
        break;
      case "redirect":
        done();
        if (isWeb(answer.to)) location.assign(answer.to);
        else await look(form.pageUrl, stillOpen);
        break;
      case "look":
        await look(form.pageUrl, answer.message || stillOpen);
        break;
      case "lost":
        setPayment({ busy: "Checking…", message: "We lost the connection. Checking your payment…" });
        await look(form.pageUrl, neverArrived);
    }
  }
  /** The page shows the truth. If it still asks to be paid, the form keeps what was typed. */
  async function look(address: string, otherwise: string) {
    if (await showOutcome(address)) done();
    else rest(otherwise);
  }
  return { payment, pay: send };
}

const neverArrived =
  "The connection broke before the payment began. Please try again. You cannot be charged twice for this.";
const stillOpen = "This has not been paid yet. Please try again. You cannot be charged twice for this.";
const demoStays = "The demo has no answer for this. Please try again.";
