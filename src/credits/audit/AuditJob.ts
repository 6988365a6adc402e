import { Clock, Effect, Option, Stream } from "effect"
import * as BackgroundJob from "../../observability/BackgroundJob.ts"
import { ledgerFaults, ledgerVerified } from "../../observability/Telemetry.ts"
import { AuditStore } from "./AuditStore.ts"
import { type Audit, LedgerAudit } from "./LedgerAudit.ts"

/** The most faults of an audit that are logged. */
const loggedFaults = 10

const log = Effect.fnUntraced(function* ({ entries, faultCount, faults, keys, millis: ms, since }: Audit) {
  const checked = { whole: since === 0, keys, entries, ms }
  if (faultCount === 0) return yield* Effect.annotateLogs(Effect.logInfo("ledger verified"), checked)
  for (const { expected, found, keyId, what } of faults.slice(0, loggedFaults)) {
    yield* Effect.annotateLogs(Effect.logError("ledger is wrong"), { key_id: keyId, what, expected, found })
  }
  yield* Effect.annotateLogs(Effect.logError("ledger faults in total"), { ...checked, faults: faultCount })
})

/**
 * Runs an audit from where it is, as long as no other instance takes it. Between two pieces it rests for as long as one
 * took, so that requests have the disk, and the write-ahead log can be written back.
 */
const run = Effect.fnUntraced(function* (begun: Audit) {
  const { end, keep } = yield* AuditStore
  const { pieces } = yield* LedgerAudit
  let before = begun.millis
  yield* Stream.runForEachWhile(
    pieces(begun),
    Effect.fnUntraced(function* (audit) {
      const now = yield* Clock.currentTimeMillis
      if (audit.entriesTo === null) {
        yield* end(audit, now)
        yield* log(audit)
        return false
      }
      if (!(yield* keep(audit, now))) return false
      yield* Effect.sleep(audit.millis - before)
      before = audit.millis
      return true
    })
  )
})

/**
 * Runs the audit that is due, unless another instance does, and shows the result of the last one. An audit that did not
 * end, for example because of an outage of the database, goes on ten minutes later.
 */
export const layer = BackgroundJob.layer({
  name: "audit ledger",
  run: Effect.gen(function* () {
    const { leave, state, take } = yield* AuditStore
    const due = yield* take(yield* Clock.currentTimeMillis)
    if (Option.isSome(due)) yield* Effect.ensuring(run(due.value), leave)
    const last = yield* state
    if (Option.isNone(last) || last.value.endedAt === 0) return
    ledgerVerified(last.value.endedAt / 1000)
    ledgerFaults(last.value.faults)
  }),
  every: "10 minutes"
})
