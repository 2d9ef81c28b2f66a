import { defineConfig } from "vitest/config";

// vitest prints failures with Map.groupBy, which Node has from 21 on.
if (!("groupBy" in Map)) {
  Object.assign(Map, {
    groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K) {
      const groups = new Map<K, V[]>();
      for (const value of values) {
        const key = keyOf(value);
        groups.set(key, [...(groups.get(key) ?? []), value]);
      }
      return groups;
    },
  });
}

export default defineConfig({
  test: {
    include: ["islands/**/*.test.{ts,tsx}"],
    environment: "happy-dom",
    testTimeout: 60_000, // a test may need more than the usual 5 s on a busy machine
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
    env: { TZ: "UTC" },
  },
});
