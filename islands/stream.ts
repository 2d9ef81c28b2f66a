/** What a Stream reports. */
export interface Listener {
  opened(): void;
  message(data: string): void;
  /** beat: the stream is alive. The time is the server's, in milliseconds. */
  beat?(time: number): void;
  /** broke: the browser reconnects by itself, or the stream was refused or has died in silence and is opened again. */
  broke?(): void;
  /** retry reopens the stream; without retry the same address is opened again. */
  retry?(): void;
}

/** Stream follows one address at a time. */
export interface Stream {
  /** open follows an address from now on instead of the previous one. */
  open(address: string | URL): void;
  close(): void;
  isOpen(): boolean;
}

/** How long a stream may be silent, in milliseconds: the server sends a beat every 15 s, so two are missing. */
const silence = 35_000;
/** How long it may take to open: the browser may have asked on a connection that is as dead as the one before. */
const opening = 12_000;
const between = 5_000;

/**
 * makeStream follows server-sent events. The browser reconnects to a broken stream; one that the server refused is
 * tried again after a pause, which doubles each time from first to longest, plus a random part of the same size, so that many
 * pages do not come back at once. Pauses are in milliseconds. No browser sees that a connection has died without a word, so a stream
 * without beats is opened again, as is one that may have died while the page was hidden or the device without a network.
 */
export function makeStream(listener: Listener, first: number, longest: number): Stream {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watch: ReturnType<typeof setInterval> | undefined;
  let refusals = 0;
  let heard = 0;
  let again = () => {};

  function open(address: string | URL): void {
    close();
    const opened = new EventSource(address);
    source = opened;
    heard = Date.now();
    again = () => {
      heard = Date.now();
      if (listener.retry) listener.retry();
      else open(address);
    };
    opened.onopen = () => {
      refusals = 0;
      heard = Date.now();
      listener.opened();
    };
    opened.onmessage = ({ data }: MessageEvent<string>) => {
      heard = Date.now();
      listener.message(data);
    };
    opened.addEventListener("beat", ({ data }: MessageEvent<string>) => {
      heard = Date.now();
      listener.beat?.(Number(data));
    });
    opened.onerror = () => {
      heard = Date.now();
      listener.broke?.();
      if (opened.readyState !== EventSource.CLOSED || opened !== source) return;
      const pause = Math.min(first * 2 ** refusals++, longest);
      timer = setTimeout(again, pause * (1 + Math.random()));
    };
    watch = setInterval(() => {
      const patience = opened.readyState === EventSource.OPEN ? silence : opening;
      if (Date.now() - heard <= patience || opened.readyState === EventSource.CLOSED) return;
      listener.broke?.();
      again();
    }, between);
  }
  function close(): void {
    source?.close();
    source = undefined;
    clearTimeout(timer);
    clearInterval(watch);
  }
  const look = () => {
    if (source && !document.hidden) again();
  };
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  return { open, close, isOpen: () => source?.readyState === EventSource.OPEN };
}
