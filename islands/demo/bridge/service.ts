/** Status is the terminal service's answer to every call (BRIDGE-28). */
export interface Status {
  readonly connected: boolean;
  readonly status: string;
  readonly trxRef: string;
  readonly currency: string;
  /** In whole units of the currency, as the terminal counts. */
  readonly amount: number;
  readonly trx: unknown;
}

/** What a call returns when the service does not answer, or not with JSON (BRIDGE-25). Only a failed call returns it. */
export const fallback: Status = Object.freeze({
  connected: true,
  status: "ready",
  trxRef: "abcxyz",
  currency: "AUD",
  amount: 3,
  trx: null,
});

/** Call is one finished call, for the log. */
export interface Call {
  readonly url: string;
  /** HTTP status; 0 when there was no answer. */
  readonly code: number;
  /** Milliseconds until the answer. */
  readonly took: number;
  readonly answer: Status;
}

/** In milliseconds. A service that takes longer counts as not answering. */
const patience = 5000;

/** terminalService calls the terminal service at an origin: five calls, none of which rejects. */
export function terminalService(origin: string, heard: (call: Call) => void = () => {}) {
  async function call(action: string, query: Record<string, string> = {}): Promise<Status> {
    const search = new URLSearchParams(query).toString();
    const url = `${origin}/${action}/${search && `?${search}`}`;
    const start = performance.now();
    let code = 0;
    let answer = fallback;
    try {
      const response = await fetch(url, {
        headers: { "Content-Type": "application/json" },
        signal: AbortSignal.timeout?.(patience) ?? null,
      });
      code = response.status;
      const body: unknown = await response.json();
      if (isStatus(body)) answer = body;
    } catch {
      // The fallback replaces the answer silently (BRIDGE-26).
    }
    heard({ url, code, took: Math.round(performance.now() - start), answer });
    return answer;
  }
  return {
    init: () => call("status"),
    pay: (ref: string, amount: string) => call("pay", { ref, amount }),
    status: () => call("status"),
    cancel: (ref: string) => call("cancel", { ref }),
    /** The service has no separate call for this, and takes no reference. */
    complete: (_ref: string) => call("status"),
  };
}

export type TerminalService = ReturnType<typeof terminalService>;

function isStatus(body: unknown): body is Status {
  return typeof body === "object" && body !== null && ("connected" in body || "status" in body);
}
