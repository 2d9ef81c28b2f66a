import type { Payment } from "./payment";
import type { Status, TerminalService } from "./service";

/** TerminalBridge is what a page pays with (BRIDGE-30). None of its calls rejects. */
export interface TerminalBridge {
  /** Reports whether a terminal is connected. */
  init(): Promise<boolean>;
  pay(payment: Payment): Promise<Status>;
  status(): Promise<Status>;
  cancel(ref: string): Promise<Status>;
}

/** terminalBridge pays at the terminal of a service. It sends only reference and amount there (BRIDGE-29). */
export function terminalBridge(service: TerminalService): TerminalBridge {
  return {
    init: async () => Boolean((await service.init()).connected),
    pay: ({ ref, amount }) => service.pay(ref, amount),
    status: () => service.status(),
    cancel: (ref) => service.cancel(ref),
  };
}
