import { statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Effect, Layer } from "effect"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { mailStates } from "../mail/Mail.ts"
import { Mails } from "../mail/Mails.ts"
import { Orders } from "../orders/Orders.ts"
import { Settings } from "../Settings.ts"
import * as Metrics from "../observability/Metrics.ts"

const orderStates = ["awaiting_payment", "fulfilled", "cancelled", "refunded"] as const

/** How often the event loop is looked at, in milliseconds; a look that is on time counts as so long a delay. */
const resolution = 10

const quantiles = [50, 99, 100] as const

/** The size of a file in bytes; 0 where there is none. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** What the process and the disk can be seen to use, at once. */
const lookAtProcess = (file: string | undefined): void => {
  const { heapUsed, rss } = process.memoryUsage()
  Metrics.heapUsed(heapUsed)
  Metrics.residentMemory(rss)
  if (file === undefined) return
  Metrics.databaseSize(sizeOf(file), "main")
  Metrics.databaseSize(sizeOf(`${file}-wal`), "wal")
  const { bavail, bsize } = statfsSync(dirname(file))
  Metrics.diskFree(bavail * bsize)
}

/** Measures what no request tells, every 10 seconds while the scope is open: the process, the disk, mails and orders. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { database } = yield* Settings
    const file = database.kind === "sqlite" && database.file !== ":memory:" ? database.file : undefined
    const delays = monitorEventLoopDelay({ resolution })
    delays.enable()
    yield* Effect.addFinalizer(() => Effect.sync(() => delays.disable()))
    return BackgroundJob.layer({
      name: "measure the service",
      run: Effect.gen(function* () {
        for (const quantile of quantiles) {
          const late = delays.percentile(quantile) / 1e9 - resolution / 1000
          Metrics.eventLoopDelay(Math.max(late, 0), String(quantile / 100))
        }
        delays.reset()
        yield* Effect.try({
          try: () => lookAtProcess(file),
          catch: (cause) => new Error("The disk cannot be seen", { cause })
        })
        const mails = yield* (yield* Mails).countByState
        for (const state of mailStates) Metrics.mails(mails.get(state) ?? 0, state)
        const orders = yield* (yield* Orders).countByState
        for (const state of orderStates) Metrics.orders(orders.get(state) ?? 0, state)
      }),
      every: "10 seconds"
    })
  })
)
