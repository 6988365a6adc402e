import { Clock, Context, Duration, Effect, Layer, Option, Record, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { dayLength, dayOf, isoTime } from "../text/Times.ts"
import { Settings } from "../Settings.ts"
import { dialectOf, type Expiring, findValue } from "../database/Statements.ts"
import { orDefect } from "../database/Failures.ts"
import { Transaction } from "../database/Transaction.ts"
import { keptUsageDays } from "../credits/LedgerEntry.ts"
import { expiring as answers } from "../idempotency/IdempotentAnswers.ts"
import { expiring as secrets } from "../keys/KeyStore.ts"
import { keptAfterRevocation } from "../keys/SubKey.ts"
import { keptDays as keptCallDays } from "../keys/CallCounts.ts"
import { expiringEvents } from "../orders/OrderStore.ts"
import * as BackgroundJob from "../observability/BackgroundJob.ts"

/** The free pages that stay in the file for reuse, and the number released at a time. */
const spare = 1000
const pagesAtOnce = 100

/** Returns the free pages of a SQLite file to its disk, a few at a time, except the spare ones. */
const giveSpaceBack = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { run }: Transaction["Service"]) {
  const freePages = Effect.map(
    findValue(Schema.Int, sql`PRAGMA freelist_count`),
    Option.getOrElse(() => 0)
  )
  let free = yield* freePages
  while (free > spare) {
    // The driver takes one step of a statement without columns, and each frees one page.
    const step = orDefect(Effect.asVoid(sql`PRAGMA incremental_vacuum(1)`))
    yield* run(Effect.replicateEffect(step, pagesAtOnce, { discard: true }))
    const left = yield* freePages
    if (left >= free) return
    free = left
    yield* Effect.sleep("20 millis")
  }
})

/** The most rows deleted in one transaction, so that requests are not delayed. */
const deletedAtOnce = 500

/** Links live for one day; one that expires in more than two was created while the clock was ahead. */
const longestLink = 2 * dayLength

type Deleting = Effect.Effect<number, SqlError.SqlError>

/** Deletes expired data, so that only the books grow forever: ledger, paid orders, audit log. */
export class Retention extends Context.Service<
  Retention,
  {
    /** Deletes everything past its retention period, in small transactions. Returns the number of rows by kind. */
    readonly purge: Effect.Effect<Readonly<Record<string, number>>>
    /** Returns the space of deleted rows to the disk, a little at a time; Postgres does so by itself. */
    readonly giveSpaceBack: Effect.Effect<void>
    /** The time of the newest ledger entry, in milliseconds; none if there is none. */
    readonly newestEntryAt: Effect.Effect<Option.Option<number>>
  }
>()("outreach-forecast/privacy/Retention") {
  /** Deletes rows from the tables of the service, and those that have expired of others. */
  static readonly layerWith = (others: Readonly<Record<string, Expiring>>) =>
    Layer.effect(
      Retention,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const transaction = yield* Transaction
        const { linkDays, mailDays, paymentEventDays, unconfirmedKeyDays, unpaidOrderDays } = (yield* Settings)
          .retention
        const limit = sql`LIMIT ${deletedAtOnce}`
        const count = (rows: Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>): Deleting =>
          Effect.map(rows, ({ length }) => length)
        const idsOf = (rows: Effect.Effect<ReadonlyArray<{ readonly id: string }>, SqlError.SqlError>) =>
          Effect.map(rows, (found) => found.map(({ id }) => id))

        /** A paid order refers to its email, so the text is removed and the row stays. */
        const mails = Effect.fnUntraced(function* (now: number) {
          const isOld = sql`state <> 'queued' AND text_body <> '' AND created_at <= ${now - mailDays * dayLength}`
          const ofOrders = sql`EXISTS (SELECT 1 FROM orders WHERE orders.mail_id = mails.id)`
          const emptied = yield* count(sql`
          UPDATE mails SET text_body = '', html_body = ''
          WHERE id IN (SELECT id FROM mails WHERE ${isOld} AND ${ofOrders} ${limit}) RETURNING id`)
          const deleted = yield* count(sql`
          DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE ${isOld} AND NOT ${ofOrders} ${limit}) RETURNING id`)
          return emptied + deleted
        })

        const deleteLinks = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
          if (ids.length === 0) return
          yield* sql`DELETE FROM reveal_tokens WHERE link_id IN ${sql.in(ids)}`
          yield* sql`DELETE FROM reveal_links WHERE id IN ${sql.in(ids)}`
        })

        const links = Effect.fnUntraced(function* (now: number) {
          const latest = now + longestLink
          yield* sql`UPDATE reveal_links SET expires_at = ${latest} WHERE expires_at > ${latest}`
          const before = now - Math.max(linkDays, mailDays + 1) * dayLength
          const ids = yield* idsOf(sql`
          SELECT l.id FROM reveal_links l WHERE l.expires_at <= ${before}
            AND NOT EXISTS (SELECT 1 FROM mails WHERE mails.link_id = l.id AND mails.text_body <> '') ${limit}`)
          yield* deleteLinks(ids)
          return ids.length
        })

        /** A key with credits or with a valid link stays. It has no order unless one has brought it credits. */
        const keys = Effect.fnUntraced(function* (now: number) {
          const ids = yield* idsOf(sql`
          SELECT k.id FROM api_keys k
          WHERE k.state = 'unconfirmed' AND k.created_at <= ${now - unconfirmedKeyDays * dayLength}
            AND NOT EXISTS (SELECT 1 FROM credit_balances WHERE key_id = k.id AND last_entry_id IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM reveal_links WHERE key_id = k.id AND expires_at > ${now})
            AND NOT EXISTS (
              SELECT 1 FROM reveal_links l JOIN mails m ON m.link_id = l.id WHERE l.key_id = k.id AND m.state = 'queued')
          ${limit}`)
          if (ids.length === 0) return 0
          const linkIds = yield* idsOf(sql`SELECT id FROM reveal_links WHERE key_id IN ${sql.in(ids)}`)
          if (linkIds.length > 0) yield* sql`DELETE FROM mails WHERE link_id IN ${sql.in(linkIds)}`
          yield* deleteLinks(linkIds)
          for (const table of ["audit_log", "key_secrets", "credit_balances"]) {
            yield* sql`DELETE FROM ${sql(table)} WHERE key_id IN ${sql.in(ids)}`
          }
          yield* sql`DELETE FROM api_keys WHERE id IN ${sql.in(ids)}`
          return ids.length
        })

        const subKeys = Effect.fnUntraced(function* (now: number) {
          // Revoked while the clock was ahead.
          yield* sql`UPDATE sub_keys SET revoked_at = ${now} WHERE revoked_at > ${now}`
          const ids = yield* idsOf(sql`
          SELECT id FROM sub_keys WHERE revoked_at <= ${now - keptAfterRevocation} ORDER BY revoked_at ${limit}`)
          if (ids.length === 0) return 0
          yield* sql`DELETE FROM key_secrets WHERE sub_key_id IN ${sql.in(ids)}`
          yield* sql`DELETE FROM sub_keys WHERE id IN ${sql.in(ids)}`
          return ids.length
        })

        const orders = Effect.fnUntraced(function* (now: number) {
          const ids = yield* idsOf(sql`
          SELECT id FROM orders
          WHERE state IN ('awaiting_payment', 'cancelled') AND created_at <= ${now - unpaidOrderDays * dayLength}
            AND reference IS NULL AND credited_key_id IS NULL ${limit}`)
          if (ids.length === 0) return 0
          yield* sql`DELETE FROM mails WHERE link_id IN ${sql.in(ids)}`
          yield* sql`DELETE FROM order_secrets WHERE order_id IN ${sql.in(ids)}`
          yield* sql`DELETE FROM orders WHERE id IN ${sql.in(ids)}`
          return ids.length
        })

        /** By the indexed column first: a row that was created while the clock was ahead would hide those behind it. */
        const expired = ({ column, id, lifetime, oldestFirst = column, table }: Expiring) =>
          Effect.fnUntraced(function* (now: number) {
            const at = sql(column)
            const isOldest = sql`${sql(id)} IN (
            SELECT ${sql(id)} FROM ${sql(table)} WHERE ${at} IS NOT NULL ORDER BY ${sql(oldestFirst)} ${limit})`
            if (lifetime > 0) yield* sql`UPDATE ${sql(table)} SET ${at} = ${now} WHERE ${at} > ${now} AND ${isOldest}`
            return yield* count(
              sql`DELETE FROM ${sql(table)} WHERE ${at} <= ${now - lifetime} AND ${isOldest} RETURNING ${sql(id)}`
            )
          })

        /** Rows that count something on a day, by their primary key, unless the day is one of those that are kept. */
        const ofDays = (table: string, key: string, keptDays: number) => (now: number) =>
          count(sql`
          DELETE FROM ${sql(table)} WHERE (${sql.literal(key)}) IN (
            SELECT ${sql.literal(key)} FROM ${sql(table)} WHERE day <= ${dayOf(now - keptDays * dayLength)} ${limit})
          RETURNING day`)

        const rules: Readonly<Record<string, (now: number) => Deleting>> = {
          answers: expired(answers),
          secrets: expired(secrets),
          subKeys,
          ...Record.map(others, expired),
          mails,
          links,
          orders,
          keys,
          paymentEvents: expired(expiringEvents(paymentEventDays * dayLength)),
          callCounts: ofDays("call_counts", "prefix, day, code", keptCallDays),
          usageDays: ofDays("usage_days", "key_id, day, sub_key_id", keptUsageDays)
        }

        const purge = Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const purged: Record<string, number> = {}
          for (const [kind, rule] of Object.entries(rules)) {
            let total = 0
            for (let deleted = 1; deleted > 0; total += deleted) {
              deleted = yield* transaction.run(orDefect(rule(now)))
              yield* Effect.yieldNow
            }
            if (total > 0) purged[kind] = total
          }
          return purged
        }).pipe(Effect.withSpan("Retention.purge"))

        return Retention.of({
          purge,
          newestEntryAt: findValue(Schema.Int, sql`SELECT created_at FROM credit_ledger ORDER BY id DESC LIMIT 1`),
          giveSpaceBack: dialectOf(sql).isPostgres ? Effect.void : giveSpaceBack(sql, transaction)
        })
      })
    )
}

/** The required time without a jump of the clock, so that one that is about to be corrected deletes nothing. */
const minSteady = Duration.hours(1)

/** The largest difference between two clocks, from one look to the next, that is not a jump, in milliseconds. */
const maxDrift = 60_000

/** The furthest that the clock may be ahead of the newest ledger entry, in days: beyond that it is probably wrong. */
const maxIdleDays = 400

/** True if the clock is too far ahead of the newest ledger entry for data to be deleted by age. */
export const isFarAhead = (now: number, newestEntryAt: number) => now > newestEntryAt + maxIdleDays * dayLength

/** Creates a check that is true once the clock has gone as fast as the monotonic one for an hour of checks. */
const makeIsSteady = () => {
  let since: bigint | undefined
  let offset: number | undefined
  return Effect.gen(function* () {
    const elapsed = yield* Clock.monotonicTimeNanos
    const found = (yield* Clock.currentTimeMillis) - Number(elapsed / 1_000_000n)
    if (since === undefined || Math.abs(found - (offset ?? found)) > maxDrift) since = elapsed
    offset = found
    return Duration.isGreaterThanOrEqualTo(Duration.nanos(elapsed - since), minSteady)
  })
}

/**
 * Deletes expired data and releases its space, every ten minutes while the scope is open, once the clock has been
 * steady for an hour. If it is far ahead of the newest ledger entry, logs that instead.
 */
export const purging = Layer.suspend(() => {
  const isSteady = makeIsSteady()
  return BackgroundJob.layer({
    name: "purge expired data",
    run: Effect.gen(function* () {
      if (!(yield* isSteady)) return
      const { giveSpaceBack, newestEntryAt, purge } = yield* Retention
      const now = yield* Clock.currentTimeMillis
      const newest = yield* newestEntryAt
      if (Option.exists(newest, (at) => isFarAhead(now, at))) {
        yield* Effect.annotateLogs(Effect.logWarning("nothing is deleted by age"), {
          clock: isoTime(now),
          newest_entry: Option.match(newest, { onNone: () => "", onSome: isoTime }),
          reason: `The clock is more than ${maxIdleDays} days ahead of the newest ledger entry. Correct it; if it is right, deletion resumes with the next change of any key's credits`
        })
        return
      }
      const purged = yield* purge
      if (Object.keys(purged).length > 0) yield* Effect.annotateLogs(Effect.logInfo("purged"), purged)
      yield* giveSpaceBack
    }),
    every: "10 minutes"
  })
})
