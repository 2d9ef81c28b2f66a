/** A stream that the server refused is tried again after this long at first, and at most, in milliseconds. */
const firstPause = 2_000;
const longestPause = 30_000;

/**
 * listen keeps a stream open and says what stands against it. Its address names the board that the page came with, which is
 * sent only when it has changed. It returns what opens the stream anew, for the whole board.
 */
export function listen(first: string, say: (text: string) => void, show: (html: string) => void): () => void {
  let pause = firstPause;
  let stream: EventSource | undefined;
  const whole = new URL(first, location.href);
  whole.searchParams.delete("v");
  const open = (address: string | URL) => {
    stream?.close();
    const source = new EventSource(address);
    stream = source;
    source.onopen = () => {
      pause = firstPause;
      say("");
    };
    source.onmessage = ({ data }: MessageEvent<string>) => show(data);
    source.onerror = () => {
      say("Not connected: new orders may be missing. Trying again…");
      if (source.readyState !== EventSource.CLOSED || source !== stream) return; // the browser comes back by itself
      setTimeout(() => void reopen(), pause * (0.5 + Math.random()));
      pause = Math.min(2 * pause, longestPause);
    };
  };
  /** A screen that is signed out, or no longer this person's, is loaded anew: that page says so. */
  const reopen = async () => {
    const answer = await fetch(whole, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
    if (answer && answer.status !== 204 && answer.status < 500) location.reload();
    else open(whole);
  };
  open(first);
  return () => open(whole);
}
