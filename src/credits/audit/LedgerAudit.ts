import { Clock, Context, Effect, Layer } from "effect"
import * as BackgroundJob from "../../BackgroundJob.ts"
import { Ledger } from "../Ledger.ts"
import type { ReferencePage } from "./AuditPage.ts"
import { type LedgerFault, Reckoning } from "./Reckoning.ts"

/** What a check looked at, how many milliseconds it took, and what is wrong: how many faults, and the first of them. */
export interface LedgerReport {
  readonly keys: number
  readonly entries: number
  readonly millis: number
  readonly faultCount: number
  readonly faults: ReadonlyArray<LedgerFault>
}

/** How many rows are read at once: about 2 milliseconds in which nothing else happens. */
const pageSize = 500

/** How many faults a report shows; what is wrong everywhere fills no memory. */
const shownFaults = 50

/**
 * Checks all credits. For every key: the balance is the sum of its ledger, each entry has the sum up to it and none is
 * below 0, what was granted is the sum of all that is no forecast, a forecast takes 1, each month has as many requests
 * as forecasts, a key with entries has a balance. No two entries have the same reference.
 */
export class LedgerAudit extends Context.Service<
  LedgerAudit,
  {
    /** Checks page by page, and does `pause` after each; debits at the same time do no harm and take none. */
    readonly verify: (pause: Effect.Effect<void>) => Effect.Effect<LedgerReport>
  }
>()("outreach-forecast/credits/LedgerAudit") {
  static readonly layer = Layer.effect(
    LedgerAudit,
    Effect.gen(function* () {
      const ledger = yield* Ledger

      const checkKeys = Effect.fnUntraced(function* (reckoning: Reckoning, pause: Effect.Effect<void>) {
        let size = pageSize
        let isLast = false
        while (!isLast) {
          const { cursor } = reckoning
          const rows = yield* ledger.page(cursor, size)
          isLast = rows.length < size
          reckoning.add(rows, isLast)
          // A key with more months than a page has rows would be read for ever.
          size = cursor.keyId === reckoning.cursor.keyId && cursor.id === reckoning.cursor.id ? 2 * size : pageSize
          yield* pause
        }
      })

      const checkReferences = Effect.fnUntraced(function* (
        report: (fault: LedgerFault) => void,
        pause: Effect.Effect<void>
      ) {
        let after: string | undefined = ""
        while (after !== undefined) {
          const page: ReferencePage = yield* ledger.references(after, 10 * pageSize)
          for (const { entries, keyId, reference } of page.repeated) {
            report({ keyId, what: `entries with the reference ${reference}`, expected: 1, found: entries })
          }
          after = page.next
          yield* pause
        }
      })

      const verify = Effect.fn("LedgerAudit.verify")(function* (pause: Effect.Effect<void>) {
        const started = yield* Clock.currentTimeMillis
        const faults: Array<LedgerFault> = []
        let faultCount = 0
        const report = (fault: LedgerFault) => {
          faultCount++
          if (faults.length < shownFaults) faults.push(fault)
        }
        const reckoning = new Reckoning(report)
        yield* checkKeys(reckoning, pause)
        yield* checkReferences(report, pause)
        const millis = (yield* Clock.currentTimeMillis) - started
        return { keys: reckoning.keys, entries: reckoning.entries, millis, faultCount, faults }
      })

      return LedgerAudit.of({ verify })
    })
  )
}

/** How many faults the log shows of one check. */
const loggedFaults = 10

/** Checks the ledger once, alongside requests, and logs the result. It pauses after each page as long as reading it takes. */
export const atStart = BackgroundJob.layer({
  name: "audit ledger",
  run: Effect.gen(function* () {
    const { verify } = yield* LedgerAudit
    const { entries, faultCount, faults, keys, millis: ms } = yield* verify(Effect.sleep("2 millis"))
    if (faultCount === 0) {
      return yield* Effect.annotateLogs(Effect.logInfo("ledger verified"), { keys, entries, ms })
    }
    for (const { expected, found, keyId, what } of faults.slice(0, loggedFaults)) {
      yield* Effect.annotateLogs(Effect.logError("ledger is wrong"), { key_id: keyId, what, expected, found })
    }
    yield* Effect.annotateLogs(Effect.logError("ledger is wrong in all"), { keys, entries, ms, faults: faultCount })
  })
})
