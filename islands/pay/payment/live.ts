import type Htmx from "htmx.org";
import { makeStream } from "../../stream";

/** In milliseconds. While the stream is open, polling only guards against a stream that died silently. */
const rarely = 30_000;

let htmx: typeof Htmx;
let address: string | undefined;
let asked = 0;

/** When the server last answered or sent a beat, and how long it may be silent before the page says so. */
let heard = Date.now();
const silence = 15_000;

/** When the stream was last seen open. An open stream may be quiet for long, so a silence begins only when the stream ends. */
let open = 0;

const stream = makeStream(
  {
    opened() {
      asked = Date.now();
      serverAnswered();
    },
    message: show,
    beat: serverAnswered,
  },
  15_000,
  120_000,
);

/** listen opens the stream that #payment names, and closes one that it no longer names. The page passes its htmx, which it fetched first. */
export function listen(page: typeof Htmx): void {
  htmx = page;
  const wanted = payment()?.dataset.events;
  if (wanted === address) return;
  address = wanted;
  if (address) stream.open(address);
  else stream.close();
}

/** show replaces #payment with what arrived. Unchanged parts stay, with the focus. */
function show(text: string): void {
  serverAnswered();
  const target = payment();
  if (target) void htmx.swap({ text, target, sourceElement: target, swap: "outerMorph" });
}

/** Polling continues beside a working stream, but rarely. The success view depends on polling. */
document.addEventListener("htmx:before:request", (event) => {
  const target = payment();
  if (event.target !== target) return;
  if (stream.isOpen()) open = Date.now();
  const silent = stream.isOpen() ? Date.now() - heard - rarely : Date.now() - Math.max(heard, open);
  if (silent > silence) target?.toggleAttribute("data-lost", true);
  if (target?.dataset.state === "success" || !stream.isOpen()) return;
  if (Date.now() - asked < rarely) event.preventDefault();
  else asked = Date.now();
});

document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = (event as CustomEvent<{ ctx: { response: { status: number } } }>).detail;
  if (ctx.response.status < 500) serverAnswered(); // 5xx may come from a proxy whose server is away
});

/** serverAnswered notes that the server answers. */
function serverAnswered(): void {
  heard = Date.now();
  payment()?.removeAttribute("data-lost");
}

/** look polls once, so that the page shows what is true now, even if it missed something. The stream opens again by itself. */
function look(): void {
  const target = payment();
  if (!document.hidden && address && target) htmx.trigger(target, "every");
}

/** A page in the background or offline may have missed anything; a push message may report what a stream lost. */
document.addEventListener("visibilitychange", look);
document.addEventListener("payment:look", () => {
  if (address) stream.open(address); // the server first sends the current state
  look();
});
addEventListener("online", look);

function payment(): HTMLElement | null {
  return document.querySelector<HTMLElement>("#payment");
}
