/** Milliseconds after which the loader gives up on a chunk (CONST-05). */
export const chunkTimeout = 120_000;

/** loadChunk loads a part of the program; it rejects with a ChunkLoadError (CONST-06) when that fails or takes too long. */
export function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ChunkLoadError(`a chunk did not arrive within ${chunkTimeout} ms`)),
      chunkTimeout,
    );
    load()
      .then(resolve, (cause: unknown) => reject(new ChunkLoadError("a chunk could not be loaded", { cause })))
      .finally(() => clearTimeout(timer));
  });
}

export class ChunkLoadError extends Error {
  override name = "ChunkLoadError";
}
