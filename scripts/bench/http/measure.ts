import { type ChildProcess, execFile } from "node:child_process"
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Schema } from "effect"
import { body, dealValue } from "./sample.ts"
import { nodeOn, type Server } from "./servers.ts"

/** The output of a load. */
const Load = Schema.Struct({
  perSecond: Schema.Finite,
  p50: Schema.Finite,
  p99: Schema.Finite,
  errors: Schema.Int,
  firstError: Schema.optionalKey(Schema.String),
  cpu: Schema.Struct({
    load: Schema.Finite,
    server: Schema.optionalKey(Schema.Finite),
    machine: Schema.optionalKey(Schema.Finite)
  })
})

/** The result of a load; latencies are in milliseconds. */
export interface Measurement {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Processor time as shares of one core. Only the load's is known on every system. */
  readonly cpu: {
    readonly load: number
    readonly server: number | undefined
    /** All cores together, for all processes. */
    readonly machine: number | undefined
  }
  /**
   * The share of what was allocated that outlived two scavenges: it is collected with the whole heap, at a multiple of the
   * cost. Undefined if nothing was collected.
   */
  readonly promoted: number | undefined
}

const decodeLoad = Schema.decodeUnknownSync(Schema.fromJsonString(Load))
const loadScript = fileURLToPath(new URL("load.ts", import.meta.url))

/** The share of allocated bytes that were promoted, from the lines of a part of a log. */
const promotedIn = (log: string): number | undefined => {
  let [allocated, promoted] = [0, 0]
  for (const [, bytes, outlived] of log.matchAll(/ gc=s .* allocated=(\d+) promoted=(\d+)/g)) {
    allocated += Number(bytes)
    promoted += Number(outlived)
  }
  return allocated === 0 ? undefined : promoted / allocated
}

/** Loads a server for some seconds. Rejects if any response does not have the expected status. */
export const measure = async (server: Server, seconds: number): Promise<Measurement> => {
  const { asked, isIdempotent, logFile, name, port, process: child, secrets } = server
  const { size } = statSync(logFile)
  const sent = asked === undefined ? body : (asked.body ?? "")
  const [command, ...args] = nodeOn(0, [
    loadScript,
    `--port=${port}`,
    `--watch=${child.pid}`,
    `--body=${sent}`,
    ...(asked === undefined ? [] : [`--status=${asked.status}`]),
    ...(asked?.path === undefined ? [] : [`--path=${asked.path}`]),
    ...(asked?.method === undefined ? [] : [`--method=${asked.method}`]),
    `--seconds=${seconds}`,
    ...(isIdempotent ? ["--idempotent"] : []),
    ...(!sent.includes(dealValue) ? [] : [`--vary=${dealValue}`])
  ])
  const { cpu, errors, firstError, ...figures } = decodeLoad(
    (await promisify(execFile)(command, args, { env: { ...process.env, KEYS: secrets.join(",") } })).stdout
  )
  if (errors > 0) throw new Error(`${name}: ${errors} errors; the first: ${firstError}`)
  const promoted = promotedIn(readFileSync(logFile).subarray(size).toString("latin1"))
  return { ...figures, cpu: { load: cpu.load, server: cpu.server, machine: cpu.machine }, promoted }
}

/** The resident memory of a process in MB, now and at its peak; undefined if the system does not report it. */
export const memoryOf = ({ pid }: ChildProcess) => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
    return { now: megabytes("VmRSS"), highest: megabytes("VmHWM") }
  } catch {
    return undefined
  }
}

/** The time that the disk of a directory takes to make 4 KiB durable, in milliseconds: the median of 100 writes. */
export const syncMillis = (directory: string): number => {
  const file = openSync(`${directory}/sync`, "w")
  const times = Array.from({ length: 100 }, () => {
    const started = performance.now()
    writeSync(file, Buffer.alloc(4096))
    fsyncSync(file)
    return performance.now() - started
  })
  closeSync(file)
  return times.toSorted((a, b) => a - b)[50] ?? 0
}
