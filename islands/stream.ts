/** What a Stream tells about its events. */
export interface Listener {
  opened(): void;
  message(data: string): void;
  /** broke: the browser comes back by itself, or the stream was refused and is tried again after a pause. */
  broke?(): void;
  /** retry opens the stream that was refused anew; without it the same address is opened again. */
  retry?(): void;
}

/**
 * Stream follows server-sent events. The browser itself comes back to a stream that broke; one that the server refused is
 * tried again after a pause, which doubles each time from first to longest and is up to as much longer again, so that many
 * pages do not come back at once. Pauses are in milliseconds.
 */
export class Stream {
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #refusals = 0;

  constructor(
    private readonly listener: Listener,
    private readonly pauses: { readonly first: number; readonly longest: number },
  ) {}

  get isOpen(): boolean {
    return this.#source?.readyState === EventSource.OPEN;
  }

  /** open follows an address from now on, instead of what it followed before. */
  open(address: string | URL): void {
    this.close();
    const source = new EventSource(address);
    this.#source = source;
    source.onopen = () => {
      this.#refusals = 0;
      this.listener.opened();
    };
    source.onmessage = ({ data }: MessageEvent<string>) => this.listener.message(data);
    source.onerror = () => {
      this.listener.broke?.();
      if (source.readyState !== EventSource.CLOSED || source !== this.#source) return;
      const pause = Math.min(this.pauses.first * 2 ** this.#refusals++, this.pauses.longest);
      const again = () => (this.listener.retry ? this.listener.retry() : this.open(address));
      this.#timer = setTimeout(again, pause * (1 + Math.random()));
    };
  }

  close(): void {
    this.#source?.close();
    this.#source = undefined;
    clearTimeout(this.#timer);
  }
}
