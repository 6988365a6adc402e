import { Clock, Context, Effect, Layer } from "effect"
import { type AuditPosition, AuditStore, beginning, type Checked, type LedgerFault } from "./AuditStore.ts"

/** What a check looked at, how many milliseconds it took, and what is wrong: how many faults, and the first of them. */
export interface LedgerReport {
  readonly keys: number
  readonly entries: number
  readonly millis: number
  readonly faultCount: number
  readonly faults: ReadonlyArray<LedgerFault>
}

/** How many entries are checked at once: about 5 milliseconds in which a process with SQLite does nothing else. */
const entriesAtOnce = 750

/** How many faults a report shows; what is wrong everywhere fills no memory. */
const shownFaults = 50

/**
 * Checks all credits. For every key: the balance is the sum of its ledger, each entry has the sum up to it and none is
 * below 0, what was granted is the sum of all entries that are not forecasts, a forecast takes 1, each month has as many
 * requests as forecasts, a key with entries has a balance. No two entries have the same reference.
 */
export class LedgerAudit extends Context.Service<
  LedgerAudit,
  {
    /**
     * Checks the ledger in steps, and runs `pause` after each: SQLite works in the process itself, where one statement
     * over a large ledger would hold up every request for seconds. Debits at the same time neither wait nor show as faults.
     */
    readonly verify: (pause: Effect.Effect<void>) => Effect.Effect<LedgerReport>
  }
>()("outreach-forecast/credits/audit/LedgerAudit") {
  static readonly layer = Layer.effect(
    LedgerAudit,
    Effect.map(AuditStore, (store) => {
      const verify = Effect.fn("LedgerAudit.verify")(function* (pause: Effect.Effect<void>) {
        const started = yield* Clock.currentTimeMillis
        const faults: Array<LedgerFault> = []
        let [keys, entries, faultCount] = [0, 0, 0]
        let position: AuditPosition | undefined = beginning
        while (position !== undefined) {
          const checked: Checked = yield* store.check(position, entriesAtOnce)
          keys += checked.keys
          entries += checked.entries
          faultCount += checked.faults.length
          faults.push(...checked.faults.slice(0, shownFaults - faults.length))
          position = checked.next
          yield* pause
        }
        return { keys, entries, millis: (yield* Clock.currentTimeMillis) - started, faultCount, faults }
      })
      return LedgerAudit.of({ verify })
    })
  )
}

/** How many faults the log shows of one check. */
const loggedFaults = 10

/**
 * Checks the ledger once, beside the requests, and logs the result. Between the steps it leaves the process
 * to the requests. A failure of the database is logged, and the service goes on.
 */
export const atStart = Layer.effectDiscard(
  Effect.gen(function* () {
    const { verify } = yield* LedgerAudit
    const { entries, faultCount, faults, keys, millis: ms } = yield* verify(Effect.sleep("3 millis"))
    if (faultCount === 0) {
      return yield* Effect.annotateLogs(Effect.logInfo("ledger verified"), { keys, entries, ms })
    }
    for (const { expected, found, keyId, what } of faults.slice(0, loggedFaults)) {
      yield* Effect.annotateLogs(Effect.logError("ledger is wrong"), { key_id: keyId, what, expected, found })
    }
    yield* Effect.annotateLogs(Effect.logError("ledger is wrong in all"), { keys, entries, ms, faults: faultCount })
  }).pipe(
    Effect.catchCause((cause) => Effect.logError("The ledger could not be checked", cause)),
    Effect.forkScoped
  )
)
