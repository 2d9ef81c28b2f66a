import htmx from "htmx.org";

/** While the stream is open, what the page asks besides it is only for a stream that died without a word: milliseconds. */
const rarely = 30_000;

/** A stream that the server refused is tried again after this long, twice as long each time, in milliseconds. */
const refusedPause = 15_000;
const maxRefusedPause = 120_000;

let stream: EventSource | undefined;
let address: string | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let asked = 0;
let refusals = 0;

/** listen opens the stream that #payment names, and closes the one it no longer names. */
export function listen(): void {
  const wanted = payment()?.dataset.events;
  if (wanted === address) return;
  address = wanted;
  open();
}

/** open connects anew; the server sends what is true now at once. */
function open(): void {
  stream?.close();
  stream = undefined;
  clearTimeout(retry);
  if (!address) return;
  const source = new EventSource(address);
  stream = source;
  source.onopen = () => {
    asked = Date.now();
    refusals = 0;
  };
  source.onmessage = ({ data }) => show(data);
  source.onerror = () => {
    // The browser comes back to a stream that broke. One that was refused is up to us.
    if (source.readyState !== EventSource.CLOSED) return;
    const pause = Math.min(refusedPause * 2 ** refusals++, maxRefusedPause);
    retry = setTimeout(open, pause * (1 + Math.random()));
  };
}

/** show puts what came in the place of #payment. What has not changed stays, with the focus. */
function show(text: string): void {
  const target = payment();
  if (target) void htmx.swap({ text, target, sourceElement: target, swap: "outerMorph" });
}

/** Asking goes on beside a stream that works, but rarely. The success view moves on by asking. */
document.addEventListener("htmx:before:request", (event) => {
  const target = payment();
  if (event.target !== target || target?.dataset.state === "success" || stream?.readyState !== EventSource.OPEN) return;
  if (Date.now() - asked < rarely) event.preventDefault();
  else asked = Date.now();
});

/** look opens the stream anew and asks besides: what is true now shows, whatever was missed. */
function look(): void {
  const target = payment();
  if (document.hidden || !address || !target) return;
  open();
  htmx.trigger(target, "every");
}

/** A page that was in the background or offline may have missed anything; a push message tells what a stream may have lost. */
document.addEventListener("visibilitychange", look);
document.addEventListener("payment:look", look);
addEventListener("online", look);

function payment(): HTMLElement | null {
  return document.querySelector<HTMLElement>("#payment");
}
