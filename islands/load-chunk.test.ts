// @vitest-environment node
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

const linesOf = (name: string) =>
  readFileSync(join("islands", name), "utf8")
    .split("\n")
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line));
/** usesOf finds the lines that use a variable; its declaration is none, nor is a string. */
const usesOf = (variable: string, lines: string[]) =>
  lines.filter((line) => new RegExp(`(?<![\\w"/]|const )${variable}(?![\\w":-])`).test(line));

// An island hands the function that it gets to loadChunk, and so does whoever keeps such a function.
test("every chunk comes by the loader (CONST-05)", () => {
  const loader = String.raw`(?:loadChunk\(|defineIsland<\w+>\("[\w-]+", )`;
  const sources = readdirSync("islands", { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.|\.d\.ts$/.test(name),
  );
  let imports = 0;
  const loose = sources.flatMap((name) => {
    const lines = linesOf(name);
    return lines
      .filter((line) => /(?<!typeof )\bimport\(/.test(line))
      .filter((line) => {
        imports++;
        const kept = /const (\w+) = \(\) => import\(/.exec(line)?.[1];
        if (!kept) return !new RegExp(`${loader}\\(\\) => import\\(`).test(line);
        const uses = usesOf(kept, lines);
        return uses.length === 0 || uses.some((use) => !new RegExp(`${loader}${kept}\\b`).test(use));
      })
      .map((line) => `${name}: ${line.trim()}`);
  });
  expect(imports).toBeGreaterThan(8);
  expect(loose).toEqual([]);
  const uses = usesOf("load", linesOf("define-island.tsx"));
  expect(uses.length).toBeGreaterThan(0);
  for (const use of uses) expect(use).toContain("loadChunk(load)");
});
