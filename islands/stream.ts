/** What a Stream reports. */
export interface Listener {
  opened(): void;
  message(data: string): void;
  /** broke: the browser reconnects by itself, or the stream was refused and is tried again after a pause. */
  broke?(): void;
  /** retry reopens a refused stream; without retry the same address is opened again. */
  retry?(): void;
}

/** Stream follows one address at a time. */
export interface Stream {
  /** open follows an address from now on instead of the previous one. */
  open(address: string | URL): void;
  close(): void;
  isOpen(): boolean;
}

/**
 * makeStream follows server-sent events. The browser reconnects to a broken stream; one that the server refused is
 * tried again after a pause, which doubles each time from first to longest, plus a random part of the same size, so that many
 * pages do not come back at once. Pauses are in milliseconds.
 */
export function makeStream(listener: Listener, first: number, longest: number): Stream {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let refusals = 0;

  function open(address: string | URL): void {
    close();
    const opened = new EventSource(address);
    source = opened;
    opened.onopen = () => {
      refusals = 0;
      listener.opened();
    };
    opened.onmessage = ({ data }: MessageEvent<string>) => listener.message(data);
    opened.onerror = () => {
      listener.broke?.();
      if (opened.readyState !== EventSource.CLOSED || opened !== source) return;
      const pause = Math.min(first * 2 ** refusals++, longest);
      timer = setTimeout(() => (listener.retry ? listener.retry() : open(address)), pause * (1 + Math.random()));
    };
  }
  function close(): void {
    source?.close();
    source = undefined;
    clearTimeout(timer);
  }
  return { open, close, isOpen: () => source?.readyState === EventSource.OPEN };
}
