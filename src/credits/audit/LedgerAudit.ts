import { Clock, Context, Effect, Layer } from "effect"
import * as BackgroundJob from "../../observability/BackgroundJob.ts"
import { Progress } from "../../observability/Progress.ts"
import { ledgerFaults, ledgerVerified } from "../../observability/Metrics.ts"
import { type AuditPosition, AuditStore, beginning, type Checked } from "./AuditStore.ts"
import type { LedgerFault } from "./LedgerFault.ts"

/** What was checked, in how many milliseconds, the number of faults, and the first of them. */
export interface LedgerReport {
  readonly keys: number
  readonly entries: number
  readonly millis: number
  readonly faultCount: number
  readonly faults: ReadonlyArray<LedgerFault>
}

/** How many entries a step checks: on SQLite it blocks the event loop for about 4 milliseconds. */
const entriesAtOnce = 600

/** How many faults a report lists, so that it stays small however many there are. */
const shownFaults = 50

/**
 * Checks that all credits are accounted for. For every key: the balance is the sum of its ledger, `balance_after` of
 * each entry is the sum up to it and never below 0, the granted credits are the sum of all entries but forecasts, a
 * forecast entry takes 1 credit or more, each month has as many requests as they took credits, and every entry leads to the
 * balance of its key. No two entries have the same reference.
 */
export class LedgerAudit extends Context.Service<
  LedgerAudit,
  {
    /**
     * Checks the ledger in steps, and runs `pause` after each: SQLite runs in the process, where one statement over a
     * large ledger would block the event loop for seconds. Concurrent debits are neither delayed nor reported as
     * faults.
     */
    readonly verify: (pause: Effect.Effect<void>) => Effect.Effect<LedgerReport>
  }
>()("outreach-forecast/credits/LedgerAudit") {
  static readonly layer = Layer.effect(
    LedgerAudit,
    Effect.map(AuditStore, (store) => {
      const verify = Effect.fn("LedgerAudit.verify")(function* (pause: Effect.Effect<void>) {
        const progress = yield* Progress
        const total = progress.isShown ? yield* store.size : 0
        const started = yield* Clock.currentTimeMillis
        const faults: Array<LedgerFault> = []
        let [keys, entries, read, faultCount] = [0, 0, 0, 0]
        let position: AuditPosition | undefined = beginning
        while (position !== undefined) {
          const checked: Checked = yield* store.check(position, entriesAtOnce)
          keys += checked.keys
          entries += checked.entries
          read += checked.read
          faultCount += checked.faults.length
          faults.push(...checked.faults.slice(0, shownFaults - faults.length))
          position = checked.next
          progress.report({ work: "Checking the ledger", done: read, total })
          yield* pause
        }
        return { keys, entries, millis: (yield* Clock.currentTimeMillis) - started, faultCount, faults }
      })
      return LedgerAudit.of({ verify })
    })
  )
}

/** How many faults of a check are logged. */
const loggedFaults = 10

/** Between the steps the process is left to the requests: the check takes about a fiftieth of it, however long it goes on. */
const pause = Effect.sleep("250 millis")

/** Checks the ledger once, alongside requests, and logs the result. */
export const atStart = BackgroundJob.layer({
  name: "audit ledger",
  run: Effect.gen(function* () {
    const { verify } = yield* LedgerAudit
    const { entries, faultCount, faults, keys, millis: ms } = yield* verify(pause)
    ledgerVerified((yield* Clock.currentTimeMillis) / 1000)
    ledgerFaults(faultCount)
    if (faultCount === 0) {
      return yield* Effect.annotateLogs(Effect.logInfo("ledger verified"), { keys, entries, ms })
    }
    for (const { expected, found, keyId, what } of faults.slice(0, loggedFaults)) {
      yield* Effect.annotateLogs(Effect.logError("ledger is wrong"), { key_id: keyId, what, expected, found })
    }
    yield* Effect.annotateLogs(Effect.logError("ledger is wrong in all"), { keys, entries, ms, faults: faultCount })
  })
})
