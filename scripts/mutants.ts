// Changes the sources in one place after another and runs the tests. A change that no test notices, a surviving mutant,
// marks code that is untested or does nothing. Works in a copy outside the repository. The default, src/credits,
// src/keys and src/forecast, takes hours, so name a file or a folder:
// npm run mutants -- src/credits/Grants.ts src/keys/sessions
import { spawnSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { stryker } from "./mutants/environment.ts"
import { decodeReport, type Mutant, mutantsOf, print } from "./mutants/report.ts"
import { tested, withoutTests } from "./mutants/tests.ts"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** The test files to run, as glob patterns; by default those of `tests.ts`. */
    tests: { type: "string", multiple: true },
    /**
     * A regular expression: tests and suites whose names match are skipped. Only tests on Postgres reach parts of
     * `LedgerSql.ts`; commands change the working directory, which threads cannot.
     */
    skip: { type: "string", default: "Postgres|^(goal|compare)$" },
    /** Skips code that only runs while modules load, such as tables of texts: each such mutant would need all tests. */
    "no-static": { type: "boolean", default: false },
    /** Runs only the mutants whose result may differ from that of the last incremental run. */
    incremental: { type: "boolean", default: false },
    /** The number of mutants tried at the same time. */
    concurrency: { type: "string", default: "1" }
  }
})

const asked = positionals.length > 0 ? positionals : tested.map(({ folder }) => folder)
const files = asked.flatMap((path) =>
  statSync(path).isDirectory() ? globSync(`${path.replace(/\/$/, "")}/**/*.ts`) : [path]
)

/** Tries the mutants of files with tests. */
const run = (files: ReadonlyArray<string>, tests: ReadonlyArray<string>): ReadonlyArray<Mutant> => {
  const scratch = mkdtempSync(`${tmpdir()}/outreach-forecast-mutants-`)
  const report = `${scratch}/report.json`
  // Not passed as StrykerJS's `testFiles`, with which it never tries code that only runs while modules load.
  const included = globSync([...tests], { exclude: [...withoutTests] })
  const options = {
    mutate: files,
    testRunner: "vitest",
    vitest: { configFile: "scripts/mutants/vitest.config.ts", related: false },
    plugins: ["@stryker-mutator/vitest-runner", fileURLToPath(new URL("mutants/ignored.ts", import.meta.url))],
    ignorers: ["what no test should see"],
    coverageAnalysis: "perTest",
    ignoreStatic: values["no-static"],
    concurrency: Number(values.concurrency),
    incremental: values.incremental,
    incrementalFile: "node_modules/.cache/mutants/incremental.json",
    tempDirName: `${scratch}/copy`,
    ignorePatterns: ["/data"],
    // StrykerJS would rewrite the paths in tsconfig.json with the API of an older compiler; nothing here reads them.
    tsconfigFile: "none",
    reporters: ["json", process.stdout.isTTY ? "progress" : "progress-append-only"],
    jsonReporter: { fileName: report },
    allowConsoleColors: false
  }
  const settings = `${scratch}/stryker.json`
  writeFileSync(settings, JSON.stringify(options))
  const { status } = spawnSync(process.execPath, [stryker(), "run", settings], {
    stdio: "inherit",
    env: { ...process.env, MUTANTS_TESTS: included.join("\n"), MUTANTS_SKIP: values.skip }
  })
  try {
    if (status !== 0) throw new Error(`StrykerJS ended with ${status}`)
    return mutantsOf(decodeReport(readFileSync(report, "utf8")))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

print(
  [...Map.groupBy(files, (file) => tested.find(({ folder }) => file.startsWith(folder)))].flatMap(([row, ofRow]) => {
    const tests = values.tests ?? row?.tests
    if (tests === undefined) throw new Error(`Name the tests for ${ofRow.join(", ")} with --tests`)
    return run(ofRow, tests)
  })
)
