import type { Payment } from "./payment";
import { fallback, type Status } from "./service";
import type { TerminalBridge } from "./terminal";

/** Screen is what the demo shows (BRIDGE-09). */
export type Screen =
  /** Cancelled is the payment's state after Cancel, as the terminal reports it. */
  | { at: "idle"; cancelled?: Status }
  | { at: "connecting" }
  | { at: "no device" }
  | { at: "paying"; status: Status }
  | { at: "finished"; status: Status };

/** Times in milliseconds. */
export const pollEvery = 500;
export const noDeviceFor = 2000;
/** A payment ends if the service says nothing about it for this long. */
export const silenceFor = 120_000;

/** The statuses that keep polling (BRIDGE-11); any other ends the payment (BRIDGE-12). */
const underWay = new Set(["ready", "processing", "connecting"]);

/** Run is a payment in progress. */
export interface Run {
  cancel(): void;
  /** Stops without telling the terminal, when the page goes away. */
  stop(): void;
}

/** start pays at the terminal and shows each screen until the payment ends or is cancelled. */
export function start(bridge: TerminalBridge, payment: Payment, show: (screen: Screen) => void): Run {
  let over = false;
  let sent: Promise<unknown> = Promise.resolve();

  async function run() {
    show({ at: "connecting" });
    const connected = await bridge.init();
    if (over) return;
    if (!connected) {
      show({ at: "no device" });
      await wait(noDeviceFor);
      if (!over) show({ at: "idle" });
      return;
    }
    const paid = bridge.pay(payment);
    sent = paid;
    const answer = await paid;
    // The status would be that of somebody else's payment.
    if (answer.status === "busy") finish(answer);
    let heardAt = Date.now();
    while (!over) {
      const tick = wait(pollEvery);
      const status = await bridge.status();
      if (over) return;
      if (status !== fallback) heardAt = Date.now();
      if (!underWay.has(status.status) || Date.now() - heardAt >= silenceFor) return finish(status);
      show({ at: "paying", status });
      await tick;
    }
  }
  function finish(status: Status) {
    if (over) return;
    over = true;
    show({ at: "finished", status });
  }
  async function cancel() {
    if (over) return;
    over = true;
    show({ at: "idle" });
    await sent; // otherwise the payment might reach the terminal after its end
    const cancelled = await bridge.cancel(payment.ref);
    if (cancelled !== fallback) show({ at: "idle", cancelled });
  }
  void run();
  return {
    cancel: () => void cancel(),
    stop: () => {
      over = true;
    },
  };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
