import { triangleAlert } from "../../icons";
import type { CardForm } from "../../props.gen";
import { icon } from "../../ui/icon";
import { isWeb, showOutcome } from "../payment/outcome";
import type { Card, Problems } from "./check";
import { pay } from "./pay";

interface Callbacks {
  refused(problems: Problems): void;
  done(): void;
}

/** makePayment returns a function that sends a card once and follows the payment until the page shows the outcome. The form shows the progress. */
export function makePayment(props: CardForm, form: HTMLFormElement, { refused, done }: Callbacks) {
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  let busy = false;
  let notice: HTMLElement | undefined;

  /** show shows the progress on the button, "" for none, and a message above it. */
  function show(now: string, message: string): void {
    busy = now !== "";
    form.setAttribute("aria-busy", String(busy));
    for (const input of form.querySelectorAll<HTMLInputElement>("input:not([type=hidden])")) input.readOnly = busy;
    for (const other of document.querySelectorAll("fc-wallets, fc-wallet-demo, #wallets-late"))
      other.toggleAttribute("inert", busy);
    if (button) {
      button.setAttribute("aria-disabled", String(busy));
      button.setAttribute("aria-busy", String(busy));
      button.textContent = now || props.payLabel;
    }
    notice?.remove();
    notice = message ? noticeOf(message) : undefined;
    if (notice) button?.before(notice);
  }

  /** look shows the page as it is now. If it still asks for a payment, the form keeps what was typed. */
  async function look(address: string, otherwise: string): Promise<void> {
    if (await showOutcome(address)) done();
    else show("", otherwise);
  }

  async function send(card: Card): Promise<void> {
    if (busy) return;
    show("Processing…", "");
    if (props.demo) {
      await new Promise((resolve) => setTimeout(resolve, props.demoDelay));
      await look(props.demoUrl, demoStays);
      return;
    }
    const answer = await pay(props, card);
    switch (answer.kind) {
      case "refused":
        show("", Object.keys(answer.problems).length > 0 ? "" : answer.message || stillOpen);
        refused(answer.problems);
        break;
      case "redirect":
        done();
        if (isWeb(answer.to)) location.assign(answer.to);
        else await look(props.pageUrl, stillOpen);
        break;
      case "look":
        await look(props.pageUrl, answer.message || stillOpen);
        break;
      case "lost":
        show("Checking…", "We lost the connection. Checking your payment…");
        await look(props.pageUrl, neverArrived);
    }
  }
  return { send };
}

/** noticeOf returns a notice that screen readers announce at once. */
function noticeOf(message: string): HTMLElement {
  const notice = document.createElement("div");
  notice.className = "notice warning";
  notice.setAttribute("role", "alert");
  const words = document.createElement("div");
  words.textContent = message;
  notice.append(icon(triangleAlert), words);
  return notice;
}

const neverArrived =
  "The connection broke before the payment began. Please try again. You cannot be charged twice for this.";
const stillOpen = "This has not been paid yet. Please try again. You cannot be charged twice for this.";
const demoStays = "The demo has no answer for this. Please try again.";
