import { Clock, Context, Effect, Layer, Schema } from "effect"
import * as BackgroundJob from "../../observability/BackgroundJob.ts"
import { ledgerFaults, ledgerVerified } from "../../observability/Telemetry.ts"
import { dayLength } from "../../text/Times.ts"

const Value = Schema.Union([Schema.String, Schema.Number])

/** An error in the records of a key's credits. In a damaged database there may be no key with the ID `keyId`. */
export const LedgerFault = Schema.Struct({ keyId: Schema.String, what: Schema.String, expected: Value, found: Value })
export type LedgerFault = typeof LedgerFault.Type

/** The size of the ledger, the milliseconds that its check took, the number of faults, and the first of them. */
export const LedgerReport = Schema.Struct({
  keys: Schema.Int,
  entries: Schema.Int,
  millis: Schema.Number,
  faultCount: Schema.Int,
  faults: Schema.Array(LedgerFault)
})
export type LedgerReport = typeof LedgerReport.Type

/**
 * Checks that all credits are accounted for. For every key: the balance is the sum of its ledger, `balance_after` of
 * each entry is the sum up to it and never below 0, the granted credits are the sum of all entries except forecasts, a
 * forecast entry takes 1 credit or more, each month has as many requests as credits were taken, and every entry leads
 * to the balance of its key. No two entries have the same reference.
 */
export class LedgerAudit extends Context.Service<
  LedgerAudit,
  {
    /** Checks the whole ledger as of one instant. */
    readonly verify: Effect.Effect<LedgerReport>
  }
>()("outreach-forecast/credits/LedgerAudit") {}

/** The most faults of a check that are logged. */
const loggedFaults = 10

const check = Effect.gen(function* () {
  const { verify } = yield* LedgerAudit
  const { entries, faultCount, faults, keys, millis: ms } = yield* verify
  ledgerVerified((yield* Clock.currentTimeMillis) / 1000)
  ledgerFaults(faultCount)
  if (faultCount === 0) {
    return yield* Effect.annotateLogs(Effect.logInfo("ledger verified"), { keys, entries, ms })
  }
  for (const { expected, found, keyId, what } of faults.slice(0, loggedFaults)) {
    yield* Effect.annotateLogs(Effect.logError("ledger is wrong"), { key_id: keyId, what, expected, found })
  }
  yield* Effect.annotateLogs(Effect.logError("ledger faults in total"), { keys, entries, ms, faults: faultCount })
})

/** The quiet time of the UTC day when the ledger is checked, in milliseconds. */
const quietHour = 3 * 3_600_000

/** The time until the next check. */
const untilQuietHour = Effect.map(
  Clock.currentTimeMillis,
  (now) => dayLength - ((now + dayLength - quietHour) % dayLength)
)

/** The delay after a check that did not finish, for example because of an outage of the database. */
const pause = "10 minutes"

/** Checks the ledger at the start and then daily, alongside requests, and logs the results, while the scope is open. */
export const daily = Layer.effectDiscard(
  Effect.suspend(() => {
    const guard = BackgroundJob.makeGuard("audit ledger")
    const next = Effect.flatMap(guard(Effect.as(check, true)), (hasEnded) =>
      hasEnded === true ? Effect.flatMap(untilQuietHour, Effect.sleep) : Effect.sleep(pause)
    )
    return Effect.forkScoped(Effect.forever(next))
  })
)
