/** loadScript runs a script in the page, even if it ran before. It rejects if the script does not arrive. */
export function loadScript(src: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    for (const earlier of document.querySelectorAll(`script[src="${CSS.escape(src)}"]`)) earlier.remove();
    const script = document.createElement("script");
    script.src = src;
    script.addEventListener("load", () => (signal.aborted ? reject(signal.reason) : resolve()));
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error(`${src} did not load`));
    });
    document.head.append(script);
  });
}
