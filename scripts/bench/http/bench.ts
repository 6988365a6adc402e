import { mkdirSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { DateTime } from "effect"
import { buildBefore } from "./before.ts"
import { temporaryFolder } from "./folders.ts"
import { measure, type Measurement, memoryOf, syncMillis } from "./measure.ts"
import { type Goal, type Result, show, toResult } from "./report.ts"
import { connections, type Server } from "./servers.ts"

/** The servers that a benchmark compares. */
export interface Comparison {
  readonly variants: ReadonlyArray<{
    readonly name: string
    readonly title: string
    readonly start: () => Promise<Server>
  }>
  /** The goals, from the results and the time that a sync of the disk takes. */
  readonly goals: (results: ReadonlyArray<Result>, syncMillis: number) => ReadonlyArray<Goal>
  /** Other conditions of the figures, by name. */
  readonly setting: Readonly<Record<string, string>>
  /** Stops everything that was started. */
  readonly end: () => Promise<void>
}

const warmUpSeconds = 3

/**
 * Runs the benchmark: starts the servers, loads them in turn, and prints and writes medians and goals.
 * The command line gives the file to write, the number of rounds and their seconds, the servers to include, and an
 * earlier commit.
 */
export const bench = async (prepare: (directory: string, before: string | undefined) => Comparison) => {
  const { positionals, values: options } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "25" },
      seconds: { type: "string", default: "1" },
      /** Names of servers, separated by commas. */
      only: { type: "string" },
      /** An earlier commit to build and compare with the working tree. */
      before: { type: "string" }
    }
  })
  const directory = temporaryFolder(tmpdir())
  // Ctrl-C stops the servers and the load; this process keeps running to clean up after them.
  process.on("SIGINT", () => {})

  const sync = syncMillis(directory)
  const {
    end,
    goals: toGoals,
    setting,
    variants
  } = prepare(directory, options.before === undefined ? undefined : buildBefore(options.before, directory))
  const running: Array<{ name: string; title: string; server: Server; rounds: Array<Measurement> }> = []
  try {
    const names = options.only?.split(",") ?? variants.map(({ name }) => name)
    const unknown = names.filter((only) => variants.every(({ name }) => name !== only))
    if (unknown.length > 0) throw new Error(`No server is called ${unknown.join(", ")}`)
    for (const { name, start, title } of variants.filter(({ name }) => names.includes(name))) {
      console.error(`Starting ${name} …`)
      const server = await start()
      running.push({ name, title, server, rounds: [] })
      await measure(server, warmUpSeconds)
    }
    for (let round = 1; round <= Number(options.rounds); round++) {
      for (const { name, rounds, server } of running) {
        const measurement = await measure(server, Number(options.seconds))
        rounds.push(measurement)
        console.error(`Round ${round}, ${name}: ${Math.round(measurement.perSecond)}/s`)
      }
    }
    const results = running.map(({ server, ...measured }) =>
      toResult({ ...measured, memory: memoryOf(server.process) })
    )
    const goals = toGoals(results, sync)
    const machine = { cpu: cpus()[0]?.model ?? "", node: process.version, ...setting, syncMillis: sync }
    const at = DateTime.formatIso(DateTime.nowUnsafe())
    const output =
      positionals[0] ?? fileURLToPath(new URL(`../results/http-${at.replaceAll(":", "-")}.json`, import.meta.url))
    mkdirSync(dirname(output), { recursive: true })
    writeFileSync(output, JSON.stringify({ at, machine, connections, ...options, results, goals }, null, 2))
    const facts = Object.entries(setting).map(([name, value]) => `, ${name}: ${value}`)
    console.log(
      `\n${connections} connections, medians of ${options.rounds} rounds of ${options.seconds} s; ${machine.cpu}, Node ` +
        `${machine.node}${facts.join("")}; an fsync of 4 KiB takes ${sync.toFixed(2)} ms\n\n` +
        `${show(results, goals)}\n\n${output}`
    )
  } finally {
    await end()
  }
}
