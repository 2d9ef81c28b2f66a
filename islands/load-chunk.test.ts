import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { ChunkLoadError, chunkTimeout, loadChunk } from "./load-chunk";

afterEach(() => vi.useRealTimers());

test("a chunk that arrives is returned", async () => {
  await expect(loadChunk(async () => "chunk")).resolves.toBe("chunk");
});

test("a missing chunk rejects with a ChunkLoadError that says why (CONST-06)", async () => {
  const cause = new TypeError("Failed to fetch");
  const error = await loadChunk(() => Promise.reject(cause)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ChunkLoadError);
  expect(error).toMatchObject({ name: "ChunkLoadError", cause });
});

test("a chunk that never arrives is given up after 120000 ms (CONST-05)", async () => {
  expect(chunkTimeout).toBe(120_000);
  vi.useFakeTimers();
  const settled = vi.fn();
  loadChunk(() => new Promise(() => {})).catch(settled);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(settled).toHaveBeenCalledWith(expect.objectContaining({ name: "ChunkLoadError" }));
});

// An import is inside a call of loadChunk, or in a function that is passed to such a call, to an island or to stayHere.
test("the loader loads every chunk (CONST-05)", () => {
  const sources = readdirSync("islands", { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.|\.d\.ts$/.test(name),
  );
  const imports = sources.flatMap((name) =>
    readFileSync(join("islands", name), "utf8")
      .split("\n")
      .filter((line) => /(?<!typeof )\bimport\(/.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(imports.length).toBeGreaterThan(8);
  const loader = /loadChunk\(|defineIsland(<\w+>)?\(|stayHere\(|const load = \(\) =>/;
  expect(imports.filter((line) => !loader.test(line))).toEqual([]);
});
