// Measures the service on a database of ten million ledger entries and a million keys, in processor time and memory:
// a forecast, a start, and the commands that read everything. Parameters:
// --keys: the keys, by default 1000000; --entries: the ledger entries of each, by default 10
// --root: the folder of another build to measure, by default this one
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { parseArgs } from "node:util"
import { processorMillis } from "./bench/http/cpu.ts"
import { type Database, environment, here, seededDatabaseOf, smallDatabase } from "./bench/http/databases.ts"
import { memoryOf } from "./bench/http/measure.ts"
import { body } from "./bench/http/sample.ts"
import { makeServers, type Server } from "./bench/http/servers.ts"

const { values } = parseArgs({
  options: {
    keys: { type: "string", default: "1000000" },
    entries: { type: "string", default: "10" },
    root: { type: "string", default: here }
  }
})
const size = { keys: Number(values.keys), entries: Number(values.entries) }
const directory = mkdtempSync(`${tmpdir()}/outreach-forecast-scale-`)
process.on("exit", () => rmSync(directory, { recursive: true, maxRetries: 5 }))

/** The secrets that the requests take turns with. */
const callers = 100

const sleep = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** The peak of a process's memory in MB; 0 if it has ended. */
const highestOf = (child: ChildProcess) => memoryOf(child)?.highest || 0

interface Figure {
  readonly what: string
  readonly "CPU ms": number
  readonly "memory MB": number
  readonly "WAL MB"?: number
}

const rounded = ({ what, ...figures }: Figure) => ({
  what,
  ...Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, value < 10 ? Number(value.toFixed(2)) : Math.round(value)])
  )
})

/** Runs a command to its end. */
const command = async ({ url }: Database, ...words: ReadonlyArray<string>): Promise<Figure> => {
  const output = openSync(`${directory}/output`, "w")
  const before = processorMillis(process.pid)
  const child = spawn(`${values.root}/dist/main.js`, words, { env: environment(url), stdio: ["ignore", output, 2] })
  let memory = 0
  const watching = setInterval(() => (memory = Math.max(memory, highestOf(child))), 50)
  await once(child, "exit")
  clearInterval(watching)
  closeSync(output)
  if (child.exitCode !== 0) throw new Error(`${words.join(" ")} exits with status ${child.exitCode}`)
  return { what: words.slice(0, 2).join(" "), "CPU ms": processorMillis(process.pid) - before, "memory MB": memory }
}

const forecast = async ({ port, secrets }: Server, nth: number): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/forecast`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": secrets[nth % secrets.length] ?? "" },
    body
  })
  await response.text()
  if (response.status !== 200) throw new Error(`A forecast has the status ${response.status}`)
}

const pidOf = ({ process: child }: Server): number => child.pid ?? 0

/** The processor time in a second below which a server that gets a few requests does nothing else, in milliseconds. */
const idle = 150

const { ours, stop } = makeServers(directory)

/** Starts a server, and measures until it has been idle for three seconds; it gets 20 forecasts per second meanwhile. */
const started = async (name: string, database: Database) => {
  const server = await ours(name, database, {}, values.root)
  const pid = pidOf(server)
  const log = `${database.url.replace("sqlite:", "")}-wal`
  let longest = 0
  for (let [quiet, before, nth] = [0, 0, 0]; quiet < 3;) {
    for (let i = 0; i < 20; i++) {
      await forecast(server, nth++)
      longest = Math.max(longest, sizeOf(log))
      await sleep(50)
    }
    const now = processorMillis(pid)
    quiet = now - before < idle ? quiet + 1 : 0
    before = now
  }
  const figure: Figure = {
    what: name,
    "CPU ms": processorMillis(pid),
    "memory MB": highestOf(server.process),
    "WAL MB": longest / 1_000_000
  }
  return { server, figure }
}

/** The mean of many forecasts, one after another. */
const forecasts = async (what: string, server: Server): Promise<Figure> => {
  const count = 1000
  for (let nth = 0; nth < count; nth++) await forecast(server, nth)
  const before = processorMillis(pidOf(server))
  for (let nth = 0; nth < count; nth++) await forecast(server, nth)
  const spent = processorMillis(pidOf(server)) - before
  return { what, "CPU ms": spent / count, "memory MB": highestOf(server.process) }
}

const figures: Array<Figure> = []
const show = (figure: Figure) => {
  figures.push(figure)
  console.error(JSON.stringify(rounded(figure)))
}

try {
  const empty = await started("start, empty", smallDatabase(`${directory}/empty.db`, callers))
  show(empty.figure)
  show(await forecasts("forecast, empty", empty.server))
  await stop()

  const file = `${directory}/large.db`
  const large = seededDatabaseOf(size)(file, callers)
  const first = await started("start, never audited", large)
  show(first.figure)
  await stop()
  const second = await started("start", large)
  show(second.figure)
  show(await forecasts("forecast", second.server))
  show(await command(large, "keys", "list"))
  show(await command(large, "credits", "usage"))
  show(await command(large, "ledger", "verify"))
  show(await command(large, "database", "backup", `${directory}/backup.db`))
  console.log(
    `${size.keys} keys with ${size.entries} ledger entries each, ${Math.round(sizeOf(file) / 1_000_000)} MB; ` +
      `${cpus()[0]?.model}, Node ${process.version}`
  )
  console.table(figures.map(rounded))
} finally {
  await stop()
}
