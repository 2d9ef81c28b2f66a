import { makeStream } from "../stream";

/**
 * listen keeps a stream open and says what prevents it. Its address names the board that the page came with; a board is
 * sent only if it has changed. It returns a function that reopens the stream for the whole board.
 */
export function listen(first: string, say: (text: string) => void, show: (html: string) => void): () => void {
  const whole = new URL(first, location.href);
  whole.searchParams.delete("v");
  /** A screen that is signed out, or no longer this person's, loads the page again; the page says so. */
  const retry = async () => {
    const answer = await fetch(whole, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
    if (answer && answer.status !== 204 && answer.status < 500) location.reload();
    else stream.open(whole);
  };
  const stream = makeStream(
    {
      opened: () => say(""),
      message: show,
      broke: () => say("Not connected: new orders may be missing. Trying again…"),
      retry: () => void retry(),
    },
    1_500,
    20_000,
  );
  stream.open(first);
  return () => stream.open(whole);
}
