import { afterEach, expect, test, vi } from "vitest";
import { ChunkLoadError, chunkTimeout, loadChunk } from "./load-chunk";

afterEach(() => vi.useRealTimers());

test("a chunk that arrives is handed on", async () => {
  await expect(loadChunk(async () => "chunk")).resolves.toBe("chunk");
});

test("CONST-06 a missing chunk rejects with a ChunkLoadError that tells why", async () => {
  const cause = new TypeError("Failed to fetch");
  const error = await loadChunk(() => Promise.reject(cause)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ChunkLoadError);
  expect(error).toMatchObject({ name: "ChunkLoadError", cause });
});

test("CONST-05 a chunk that never arrives is given up after 120000 ms", async () => {
  expect(chunkTimeout).toBe(120_000);
  vi.useFakeTimers();
  const settled = vi.fn();
  loadChunk(() => new Promise(() => {})).catch(settled);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(settled).toHaveBeenCalledWith(expect.objectContaining({ name: "ChunkLoadError" }));
});
