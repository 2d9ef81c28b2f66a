import type { Payment } from "./payment";
import type { Status, TerminalService } from "./service";

/** TerminalBridge is what a page pays with (BRIDGE-30). Nothing of it rejects. */
export interface TerminalBridge {
  /** Tells whether a terminal is connected. */
  init(): Promise<boolean>;
  pay(payment: Payment): Promise<Status>;
  status(): Promise<Status>;
  cancel(ref: string): Promise<Status>;
}

/** terminalBridge pays at the terminal of a service. Of a payment, only reference and amount go there (BRIDGE-29). */
export function terminalBridge(service: TerminalService): TerminalBridge {
  return {
    init: async () => Boolean((await service.init()).connected),
    pay: ({ ref, amount }) => service.pay(ref, amount),
    status: () => service.status(),
    cancel: (ref) => service.cancel(ref),
  };
}
