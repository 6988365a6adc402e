import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["environment", "chromium", "postgres"].map((name) => `test/support/${name}Setup.ts`),
    // Many tests wait for processes and timeouts most of the time: two cores run five files well.
    maxWorkers: availableParallelism() + 3,
    // Loading Effect for each file anew took a fifth of all processor time. What a test makes it makes in its own layers.
    isolate: false,
    // Those that a busy machine delays for longer are `slowly`. With far more workers than cores, pass --testTimeout.
    testTimeout: 30_000,
    hookTimeout: 300_000
  }
})
