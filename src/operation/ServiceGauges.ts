import { statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Clock, Effect, Layer } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { Mails } from "../mail/Mails.ts"
import { Orders } from "../orders/Orders.ts"
import { Settings } from "../Settings.ts"
import * as Telemetry from "../observability/Telemetry.ts"

/** The sampling interval of the event loop, in milliseconds; a sample on time counts as a delay of this length. */
const resolution = 10

const quantiles = [50, 99, 100] as const

/** Measures the process once. */
const measureProcess = (): void => {
  const { heapUsed, rss } = process.memoryUsage()
  Telemetry.heapUsed(heapUsed)
  Telemetry.residentMemory(rss)
}

/** Measures the write-ahead log of a SQLite file and the free space on its disk; Postgres does not show these. */
const measureDisk = (file: string): void => {
  Telemetry.databaseSize(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0, "wal")
  const { bavail, bsize } = statfsSync(dirname(file))
  Telemetry.diskFree(bavail * bsize)
}

/** Adds the CPU time since the last call. */
const makeCpuCounter = () => {
  let counted = 0
  return () => {
    const { system, user } = process.cpuUsage()
    const used = (system + user) / 1e6
    Telemetry.cpuTime(used - counted)
    counted = used
  }
}

/** Measures the process, the disk, emails and orders, every 10 seconds while the scope is open. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { database } = yield* Settings
    const file = database.kind === "sqlite" && database.file !== ":memory:" ? database.file : undefined
    const delays = monitorEventLoopDelay({ resolution })
    delays.enable()
    yield* Effect.addFinalizer(() => Effect.sync(() => delays.disable()))
    const countCpuTime = makeCpuCounter()
    const startedAt = (yield* Clock.currentTimeMillis) / 1000 - process.uptime()
    // Start counters at 0, so that their first increase is visible.
    Telemetry.mailsRejected(0)
    for (const result of ["sent", "refused"]) Telemetry.keylessMails(0, result)
    Telemetry.version(1, packageJson.version)
    Telemetry.startTime(startedAt)
    return BackgroundJob.layer({
      name: "measure the service",
      run: Effect.gen(function* () {
        for (const quantile of quantiles) {
          const late = delays.percentile(quantile) / 1e9 - resolution / 1000
          Telemetry.eventLoopDelay(Math.max(late, 0), String(quantile / 100))
        }
        delays.reset()
        measureProcess()
        countCpuTime()
        Telemetry.databaseSize(yield* (yield* DatabaseHealth).size, "main")
        if (file !== undefined) {
          yield* Effect.try({
            try: () => measureDisk(file),
            catch: (cause) => new Error("The disk cannot be measured", { cause })
          })
        }
        const { dead, oldestQueuedAt, queued } = yield* (yield* Mails).backlog
        const now = yield* Clock.currentTimeMillis
        Telemetry.oldestMail(Math.max(now - (oldestQueuedAt ?? now), 0) / 1000)
        Telemetry.mails(queued, "queued")
        Telemetry.mails(dead, "dead")
        Telemetry.orders(yield* (yield* Orders).unpaid, "awaiting_payment")
      }),
      every: "10 seconds"
    })
  })
)
