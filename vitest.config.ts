import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["environment", "chromium", "postgres"].map((name) => `test/support/${name}Setup.ts`),
    // The slowest files wait for processes and timeouts most of their time: two cores run three of them well.
    maxWorkers: availableParallelism() + 1,
    // Loading Effect for each file anew took a fifth of all processor time. What a test makes it makes in its own layers.
    isolate: false,
    // They only end what hangs: with 17 workers on two slow cores a test takes twenty times as long as by itself.
    testTimeout: 600_000,
    hookTimeout: 600_000
  }
})
