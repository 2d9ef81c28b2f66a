import type { Call } from "./service";

/** Entry is one call, or a run of equal calls with equal answers. */
export interface Entry {
  readonly id: number;
  readonly times: number;
  readonly last: Call;
}

/** The length of the list. Nobody would scroll through more. */
const kept = 50;

/** log adds a call to the list, newest first. */
export function log(entries: readonly Entry[], call: Call): readonly Entry[] {
  const [newest, ...older] = entries;
  if (newest && same(newest.last, call)) return [{ ...newest, times: newest.times + 1, last: call }, ...older];
  return [{ id: (newest?.id ?? 0) + 1, times: 1, last: call }, ...entries.slice(0, kept - 1)];
}

function same(a: Call, b: Call): boolean {
  return a.url === b.url && a.code === b.code && JSON.stringify(a.answer) === JSON.stringify(b.answer);
}
