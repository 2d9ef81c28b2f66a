import htmx from "htmx.org";
import { makeStream } from "../stream";

/** While the stream is open, what the page asks besides it is only for a stream that died without a word: milliseconds. */
const rarely = 30_000;

let address: string | undefined;
let asked = 0;

const stream = makeStream(
  {
    opened() {
      asked = Date.now();
    },
    message: show,
  },
  15_000,
  120_000,
);

/** listen opens the stream that #payment names, and closes the one it no longer names. */
export function listen(): void {
  const wanted = payment()?.dataset.events;
  if (wanted === address) return;
  address = wanted;
  if (address) stream.open(address);
  else stream.close();
}

/** show puts what came in the place of #payment. What has not changed stays, with the focus. */
function show(text: string): void {
  const target = payment();
  if (target) void htmx.swap({ text, target, sourceElement: target, swap: "outerMorph" });
}

/** Asking goes on beside a stream that works, but rarely. The success view moves on by asking. */
document.addEventListener("htmx:before:request", (event) => {
  const target = payment();
  if (event.target !== target || target?.dataset.state === "success" || !stream.isOpen()) return;
  if (Date.now() - asked < rarely) event.preventDefault();
  else asked = Date.now();
});

/** look opens the stream anew and asks besides: what is true now shows, whatever was missed. */
function look(): void {
  const target = payment();
  if (document.hidden || !address || !target) return;
  stream.open(address); // the server sends what is true now at once
  htmx.trigger(target, "every");
}

/** A page that was in the background or offline may have missed anything; a push message tells what a stream may have lost. */
document.addEventListener("visibilitychange", look);
document.addEventListener("payment:look", look);
addEventListener("online", look);

function payment(): HTMLElement | null {
  return document.querySelector<HTMLElement>("#payment");
}
