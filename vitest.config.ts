import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const isSlow = ({ moduleId }: TestSpecification) => readFileSync(moduleId, "utf8").includes("slowly")

/** Runs the files with `slowly` first, so that none of them is left when all others are done. */
class SlowFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    // oxlint-disable-next-line unicorn/no-array-sort -- This is no array.
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["environment", "chromium", "postgres"].map((name) => `test/support/${name}Setup.ts`),
    sequence: { sequencer: SlowFirst },
    // Many tests wait for processes and timeouts most of the time: two cores run five files well.
    maxWorkers: availableParallelism() + 3,
    // Loading Effect for each file anew took a fifth of all processor time. What a test makes it makes in its own layers.
    isolate: false,
    // Node runs the sources as they are. Through Vite's wrapper each use of an import takes longer: a sixth of what pure tests took.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Those that a busy machine delays for longer are `slowly`. With far more workers than cores, pass --testTimeout.
    testTimeout: 30_000,
    hookTimeout: 300_000
  }
})
