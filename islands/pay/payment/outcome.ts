/** Fired on the new #payment once it has replaced the old one. */
export const shown = "payment:shown";

/** Pauses between tries to reach the server, in milliseconds; the last one repeats. */
const pauses = [500, 1000, 2000, 4000, 8000, 15_000];

/**
 * showOutcome fetches the payment page until the server answers, and replaces #payment with that page's. It
 * returns false if that is still the form, which keeps what was typed.
 */
export async function showOutcome(address: string): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    const answer = await fragment(address);
    if (answer === "elsewhere") {
      location.assign(address);
      return true;
    }
    if (answer) return place(answer);
    await pause(pauses[Math.min(tries, pauses.length - 1)] ?? 0);
  }
}

/**
 * lookAgain shows what the payment has become in another tab or on another device. It leaves alone a page that is paying or that follows the
 * payment anyway, and a form that may still be sent.
 */
export async function lookAgain(): Promise<void> {
  const old = document.querySelector<HTMLElement>("#payment:not([data-events], [hx-get])");
  const paying = () => old?.querySelector("[aria-busy=true]");
  if (document.hidden || !old || paying()) return;
  const now = await fragment(location.href);
  if (!(now instanceof HTMLElement) || !old.isConnected || paying() || now.dataset.state === old.dataset.state) return;
  if (!place(now)) location.reload();
}

/** fragment fetches the page's #payment; "elsewhere" if the server answers with another page, undefined without an answer. */
async function fragment(address: string): Promise<Element | "elsewhere" | undefined> {
  try {
    const response = await fetch(address, {
      headers: { "HX-Request": "true", "HX-Request-Type": "partial", Accept: "text/html" },
      cache: "no-store",
      signal: AbortSignal.timeout?.(10_000) ?? null,
    });
    if (response.status >= 500 || response.status === 429) return undefined;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return page.querySelector("#payment") ?? "elsewhere";
  } catch {
    return undefined;
  }
}

function place(section: Element): boolean {
  const old = document.querySelector("#payment");
  if (!old || section.getAttribute("data-state") === "form") return false;
  const fresh = document.importNode(section, true);
  old.replaceWith(fresh);
  fresh.dispatchEvent(new CustomEvent(shown, { bubbles: true }));
  fresh.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  scrollTo(0, 0); // the outcome begins at the top, however far the form had been scrolled
  return true;
}

/** pause waits, but ends early when the browser is online again. */
function pause(time: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, time);
    addEventListener("online", done);
  });
}

/** isWeb reports whether an address may be opened; javascript: and the like may not. */
export function isWeb(address: string): boolean {
  return /^https?:\/\//i.test(address);
}
