import { setClock } from "../../clock";
import { makeStream } from "../../stream";

// A screen without a connection tries again after firstPause, then after twice as long each time up to longestPause, and each time after a
// random part more, in milliseconds.
const firstPause = 1_500;
const longestPause = 20_000;

/** How long the server may take to say whether a screen is still this person's, in milliseconds. */
const patience = 5_000;

/**
 * listen keeps a stream open and says what prevents it. Its address names the board that the page came with; a board is
 * sent only if it has changed. It returns a function that reopens the stream for the whole board.
 */
export function listen(first: string, say: (text: string) => void, show: (html: string) => void): () => void {
  const whole = new URL(first, location.href);
  whole.searchParams.delete("v");
  /** A screen that is signed out, or no longer this person's, loads the page again; the page says so. */
  const retry = async () => {
    const answer = await fetch(whole, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout?.(patience) ?? null,
    }).catch(() => undefined);
    if (answer && answer.status !== 204 && answer.status < 500) location.reload();
    else stream.open(whole);
  };
  const stream = makeStream(
    {
      opened: () => say(""),
      message: show,
      beat: setClock,
      broke: () => say("Not connected: new orders may be missing. Trying again…"),
      retry: () => void retry(),
    },
    firstPause,
    longestPause,
  );
  stream.open(first);
  return () => stream.open(whole);
}
