import { availableParallelism } from "node:os"
import { relative } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take longest, in this order; in a new clone the first also installs what Python needs. */
const longest = [
  "clients/Python",
  "operation/ServeCommand",
  "operation/PostgresOutages",
  "operation/DatabaseCommand",
  "Caddy",
  "operation/Instances",
  "Deployment",
  "Production",
  "http/server/RequestPipeline",
  "docs/Examples",
  "operation/Outages",
  "http/server/ClosedConnections",
  "health/AdminHttp",
  "site/GuideBrowser",
  "operation/Crash",
  "metering/CampaignTurns",
  "metering/Metering",
  "http/document/Contract",
  "operation/Clock",
  "clients/Generated",
  "mcp/McpPython",
  "metering/ForecastEndpoints"
].map((name) => `test/${name}.test.ts`)

/** Runs the longest files first: one that started last would run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const index = longest.indexOf(relative(project.config.root, moduleId))
      return index === -1 ? longest.length : index
    }
    const usual = await BaseSequencer.prototype.sort.call(this, files)
    return usual.toSorted((a, b) => rank(a) - rank(b))
  }
}

const isShuffled = process.argv.some((argument) => argument.startsWith("--sequence.shuffle"))

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["environment", "chromium", "postgres"].map((name) => `test/support/${name}Setup.ts`),
    ...(isShuffled ? {} : { sequence: { sequencer: LongestFirst } }),
    // Many tests wait for processes and timeouts most of the time: two cores run five files well.
    maxWorkers: availableParallelism() + 3,
    // Loading Effect for each file anew took a fifth of all processor time. What a test makes it makes in its own layers.
    isolate: false,
    // They only end what hangs: with 17 workers on two slow cores a test takes twenty times as long as by itself.
    testTimeout: 600_000,
    hookTimeout: 600_000
  }
})
