import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["islands/**/*.test.{ts,tsx}"],
    environment: "happy-dom",
    restoreMocks: true,
    unstubGlobals: true,
    env: { TZ: "UTC" },
  },
});
