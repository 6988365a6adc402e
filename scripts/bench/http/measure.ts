import { execFile } from "node:child_process"
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Schema } from "effect"
import { body } from "./sample.ts"
import { nodeOn, type Server } from "./servers.ts"

/** What a load of some seconds came to. Latencies are milliseconds, `generatorCpu` is a share of one core. */
const Measurement = Schema.Struct({
  perSecond: Schema.Finite,
  p50: Schema.Finite,
  p99: Schema.Finite,
  errors: Schema.Int,
  firstError: Schema.optionalKey(Schema.String),
  generatorCpu: Schema.Finite
})
export type Measurement = typeof Measurement.Type

const decodeMeasurement = Schema.decodeUnknownSync(Schema.fromJsonString(Measurement))
const loadScript = fileURLToPath(new URL("load.ts", import.meta.url))

/** Loads a server for some seconds. Rejects where any answer is not 2xx. */
export const measure = async ({ isIdempotent, name, port, secrets }: Server, seconds: number): Promise<Measurement> => {
  const [command, args] = nodeOn(0, [
    loadScript,
    `--port=${port}`,
    `--body=${body}`,
    `--seconds=${seconds}`,
    ...(isIdempotent ? ["--idempotent"] : [])
  ])
  const measurement = decodeMeasurement(
    (await promisify(execFile)(command, args, { env: { ...process.env, KEYS: secrets.join(",") } })).stdout
  )
  if (measurement.errors > 0)
    throw new Error(`${name}: ${measurement.errors} errors; the first: ${measurement.firstError}`)
  return measurement
}

/** The resident memory of a server in MB, now and at its highest; none where the system does not tell. */
export const memoryOf = ({ process: { pid } }: Server) => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
    return { now: megabytes("VmRSS"), highest: megabytes("VmHWM") }
  } catch {
    return undefined
  }
}

/** Milliseconds that the disk of a directory takes to make 4 KiB durable, the median of 100. */
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
