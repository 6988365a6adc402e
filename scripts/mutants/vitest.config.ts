import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import shared from "../../vitest.config.ts"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { KeptThread } from "./KeptThreads.ts"

/** The tests that took the least time in the last run come first, because they notice most mutants. */
class ShortestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const duration = (file: TestSpecification) => this.ctx.cache.getTestSpecificationResult(file)?.duration ?? 0
    return files.toSorted((a, b) => duration(a) - duration(b))
  }
}

export default defineConfig({
  ...shared,
  root: fileURLToPath(new URL("../..", import.meta.url)),
  plugins: [
    {
      name: "kept threads",
      // Not set as `pool` below, which StrykerJS overwrites with a pool that it knows.
      configureVitest: ({ project }) => {
        const name = "kept threads"
        project.config.pool = name
        project.config.poolRunner = { name, createPoolWorker: (options) => new KeptThread(options) }
      }
    }
  ],
  test: {
    ...shared.test,
    include: (process.env["MUTANTS_TESTS"] ?? "").split("\n"),
    runner: "scripts/mutants/Runner.ts",
    setupFiles: ["scripts/mutants/setup.ts"],
    // Modules are loaded once per mutant, not once per test file.
    isolate: false,
    testTimeout: 30_000,
    sequence: { sequencer: ShortestFirst }
  }
})
