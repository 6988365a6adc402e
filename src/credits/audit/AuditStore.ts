import { randomUUID } from "node:crypto"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, exists, findFirst, findValue } from "../../database/Statements.ts"
import { Transaction } from "../../database/Transaction.ts"
import { dayLength } from "../../text/Times.ts"
import { Audit, auditSince } from "./LedgerAudit.ts"

/** An audit in the database. Times are in milliseconds. */
const AuditRow = Schema.Struct({
  wholeAt: Schema.Int,
  auditedTo: Schema.Int,
  progress: Schema.NullOr(Schema.fromJsonString(Audit))
})

/** The time when the last audit ended, in milliseconds, or 0; and the faults that it or the last whole one found. */
const AuditState = Schema.Struct({ endedAt: Schema.Int, faults: Schema.Int })

const toText = Schema.encodeSync(Schema.fromJsonString(Audit))

/** The quiet time of the UTC day when an audit is due, in milliseconds, and the quiet day of the week for a whole one. */
const quietHour = 3 * 3_600_000
const [week, sunday] = [7 * dayLength, 3 * dayLength]

/** The last time that an audit was due, and a whole one: at 03:00, and at 03:00 on Sunday. Unix time began on a Thursday. */
const lastDay = (now: number) => now - ((now - quietHour) % dayLength)
const lastWeek = (now: number) => now - ((now - quietHour - sunday) % week)

/** The time after which another instance may continue an audit from which its own has not been heard, in milliseconds. */
const lease = 600_000

/** Entries that are audited again: with several instances, one may be committed after others with higher IDs. */
const overlap = 10_000

/**
 * Stores the audit of the ledger that all instances share: what was audited, and which instance is at it. A time in the
 * future is from a clock that was ahead, and does not count.
 */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    readonly state: Effect.Effect<Option.Option<typeof AuditState.Type>>
    /**
     * Takes the audit that is due at a time, or one that another instance has left: a whole one each week, and each day
     * one of the entries since the last. None if nothing is due, or another instance is at it.
     */
    readonly take: (now: number) => Effect.Effect<Option.Option<Audit>>
    /** Keeps an audit until the next piece. False if another instance has taken it. */
    readonly keep: (audit: Audit, now: number) => Effect.Effect<boolean>
    /** Records the end of an audit. */
    readonly end: (audit: Audit, now: number) => Effect.Effect<void>
    /** Leaves the audit to the next instance. */
    readonly leave: Effect.Effect<void>
  }
>()("outreach-forecast/credits/AuditStore") {
  /** The audit in the table `ledger_audit`. */
  static readonly layer = Layer.effect(
    AuditStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const transaction = yield* Transaction
      const instance = randomUUID()
      const isMine = sql`id = 1 AND instance = ${instance}`

      const take = Effect.fnUntraced(function* (now: number) {
        const found = yield* findFirst(
          AuditRow,
          sql`
            UPDATE ledger_audit SET instance = ${instance}, held_until = ${now + lease}
            WHERE id = 1
              AND (instance IS NULL OR instance = ${instance} OR held_until NOT BETWEEN ${now} AND ${now + lease})
              AND (progress IS NOT NULL OR ended_at NOT BETWEEN ${lastDay(now)} AND ${now}
                OR whole_at NOT BETWEEN ${lastWeek(now)} AND ${now})
            RETURNING whole_at, audited_to, progress`
        )
        if (Option.isNone(found)) return Option.none()
        const { auditedTo, progress, wholeAt } = found.value
        if (progress !== null) return Option.some(progress)
        const isWhole = wholeAt < lastWeek(now) || wholeAt > now
        const audit = auditSince(isWhole ? 0 : Math.max(auditedTo - overlap, 0))
        const newest = yield* findValue(Schema.Int, sql`SELECT coalesce(max(id), 0) FROM credit_ledger`)
        yield* execute(sql`
          UPDATE ledger_audit SET progress = ${toText(audit)}, newest_id = ${Option.getOrElse(newest, () => 0)}
          WHERE ${isMine}`)
        return Option.some(audit)
      })

      return AuditStore.of({
        state: findFirst(AuditState, sql`SELECT ended_at, faults FROM ledger_audit`),
        take: (now) => transaction.run(take(now)),
        keep: (audit, now) =>
          exists(sql`
            UPDATE ledger_audit SET progress = ${toText(audit)}, held_until = ${now + lease}
            WHERE ${isMine} RETURNING id`),
        end: ({ faultCount, since }, now) => {
          const isWhole = since === 0
          const found = isWhole
            ? sql`faults = ${faultCount}, whole_at = ${now}`
            : sql`faults = CASE WHEN faults > ${faultCount} THEN faults ELSE ${faultCount} END`
          return execute(sql`
            UPDATE ledger_audit SET ${found}, ended_at = ${now}, audited_to = newest_id, progress = NULL, instance = NULL
            WHERE ${isMine}`)
        },
        leave: execute(sql`UPDATE ledger_audit SET instance = NULL WHERE ${isMine}`)
      })
    })
  )
}
