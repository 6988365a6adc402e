// Forecasts a second over HTTP, side by side in one run: ours, the same endpoint with Fastify and better-sqlite3 as the
// peer, and bare node:http as the limit. The servers share one core and the load has the other; rounds are interleaved,
// and medians count. A short run: npm run bench -- --rounds 3 --seconds 3 --only limit,ours
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { DateTime } from "effect"
import { seededDatabase, smallDatabase } from "./http/databases.ts"
import { measure, type Measurement, memoryOf, syncMillis } from "./http/measure.ts"
import { show, toGoals, toResult } from "./http/report.ts"
import { canPin, connections, makeServers, type Server, stop } from "./http/servers.ts"

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "5" },
    /** Names of servers, separated by commas. */
    only: { type: "string" }
  }
})

const directory = mkdtempSync(`${tmpdir()}/outreach-forecast-bench-`)
const servers = makeServers(directory)

const variants = [
  { name: "limit", title: "limit: bare node:http", start: servers.limit },
  { name: "peer-full", title: "peer, synchronous=FULL", start: () => servers.peer("FULL") },
  { name: "peer-normal", title: "peer, synchronous=NORMAL", start: () => servers.peer("NORMAL") },
  { name: "ours", title: "ours", start: () => servers.ours("ours", smallDatabase) },
  {
    name: "ours-idempotent",
    title: "ours, an Idempotency-Key each",
    start: async () => ({ ...(await servers.ours("ours-idempotent", smallDatabase)), isIdempotent: true })
  },
  {
    name: "ours-seeded",
    title: "ours, 1,000,000 keys, 5,000,000 rows",
    start: () => servers.ours("ours-seeded", seededDatabase)
  }
]
const names = options.only?.split(",") ?? variants.map(({ name }) => name)
const unknown = names.filter((only) => variants.every(({ name }) => name !== only))

// Ctrl-C ends the servers and the load; this process goes on to remove what they leave.
process.on("SIGINT", () => {})

const warmUpSeconds = 3
const running: Array<{ name: string; title: string; server: Server; rounds: Array<Measurement> }> = []
try {
  if (unknown.length > 0) throw new Error(`No server is called ${unknown.join(", ")}`)
  const sync = syncMillis(directory)
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
  const results = running.map(({ server, ...measured }) => toResult({ ...measured, memory: memoryOf(server) }))
  const goals = toGoals(results)
  const machine = {
    cpu: cpus()[0]?.model ?? "",
    node: process.version,
    cores: canPin ? "servers on one, load on the other" : "any",
    syncMillis: sync
  }
  const at = DateTime.formatIso(DateTime.nowUnsafe())
  const output = positionals[0] ?? fileURLToPath(new URL(`results/${at.replaceAll(":", "-")}.json`, import.meta.url))
  mkdirSync(dirname(output), { recursive: true })
  writeFileSync(output, JSON.stringify({ at, machine, connections, ...options, results, goals }, null, 2))
  console.log(
    `\n${connections} connections, medians of ${options.rounds} rounds of ${options.seconds} s; ${machine.cpu}, Node ` +
      `${machine.node}, cores: ${machine.cores}; an fsync of 4 KiB takes ${sync.toFixed(2)} ms\n\n${show(results, goals)}\n\n${output}`
  )
} finally {
  await Promise.all(running.map(({ server }) => stop(server)))
  rmSync(directory, { recursive: true, maxRetries: 5 })
}
