import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AuditStore } from "../../../src/credits/audit/AuditStore.ts"
import { type Audit, auditSince, wholeAudit } from "../../../src/credits/audit/LedgerAudit.ts"
import { stores } from "../../support/Application.ts"

const at = (text: string) => DateTime.makeUnsafe(`2026-11-${text}Z`).epochMilliseconds

/** A Friday. */
const friday = at("27T12:00")
const [minute, day] = [60_000, 86_400_000]

/** Another instance of the service. */
const another = Effect.map(Layer.build(Layer.fresh(AuditStore.layer)), (built) => Context.get(built, AuditStore))

/** An entry after many others. */
const withEntry = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    INSERT INTO credit_ledger (id, key_id, kind, delta, balance_after, reference, created_at)
    VALUES (50000, 'key_ada', 'adjustment', 1, 1, 'a', 0)`
)

const withFaults = (audit: Audit, faultCount: number): Audit => ({ ...audit, faultCount })

for (const [name, store] of Object.entries(stores)) {
  describe(`AuditStore over ${name}`, () => {
    it.effect("has a whole audit due each Sunday at 03:00 UTC, and one since the last on other days", () =>
      Effect.gen(function* () {
        const { end, take } = yield* AuditStore
        yield* withEntry
        const due = (now: number) =>
          Effect.tap(take(now), (audit) => (Option.isSome(audit) ? end(audit.value, now + minute) : Effect.void))
        assert.deepStrictEqual(yield* due(friday), Option.some(wholeAudit))
        assert.deepStrictEqual(yield* due(at("28T02:59")), Option.none())
        // The last entries are audited again.
        assert.deepStrictEqual(yield* due(at("28T03:00")), Option.some(auditSince(40_000)))
        assert.deepStrictEqual(yield* due(at("28T23:00")), Option.none())
        assert.deepStrictEqual(yield* due(at("29T02:59")), Option.none())
        assert.deepStrictEqual(yield* due(at("29T03:00")), Option.some(wholeAudit))
        assert.deepStrictEqual(yield* due(at("30T05:00")), Option.some(auditSince(40_000)))
        // It was stopped for weeks.
        assert.deepStrictEqual(yield* due(friday + 30 * day), Option.some(wholeAudit))
        // The clock was ahead.
        assert.deepStrictEqual(yield* due(friday), Option.some(wholeAudit))
        assert.deepStrictEqual(yield* due(friday + 2 * minute), Option.none())
      }).pipe(Effect.provide(store))
    )

    it.effect("gives an audit to one instance at a time, from where the last one left it", () =>
      Effect.gen(function* () {
        const first = yield* AuditStore
        const second = yield* another
        assert.deepStrictEqual(yield* first.take(friday), Option.some(wholeAudit))
        assert.deepStrictEqual(yield* second.take(friday + minute), Option.none())
        const half: Audit = { ...wholeAudit, keysTo: "key_m", keys: 1000, millis: 5 }
        assert.isTrue(yield* first.keep(half, friday + 9 * minute))
        assert.deepStrictEqual(yield* second.take(friday + 19 * minute), Option.none())
        // It was killed, or a clock was set.
        for (const now of [friday + 20 * minute, friday - day]) {
          assert.deepStrictEqual(yield* second.take(now), Option.some(half))
          assert.isFalse(yield* first.keep(half, now))
          yield* first.end(half, now)
          yield* first.leave
          assert.deepStrictEqual(yield* first.take(now), Option.none())
        }
        yield* second.leave
        assert.deepStrictEqual(yield* first.take(friday), Option.some(half))
        // An instance continues its own after a failure.
        assert.deepStrictEqual(yield* first.take(friday + minute), Option.some(half))
        yield* first.end(half, friday + minute)
        assert.deepStrictEqual(yield* second.take(friday + minute), Option.none())
      }).pipe(Effect.scoped, Effect.provide(store))
    )

    it.effect("keeps the faults of a whole audit until the next one", () =>
      Effect.gen(function* () {
        const { end, state, take } = yield* AuditStore
        assert.deepStrictEqual(yield* state, Option.some({ endedAt: 0, faults: 0 }))
        yield* withEntry
        const ended = Effect.fnUntraced(function* (now: number, faults: number) {
          const audit = yield* take(now)
          yield* end(withFaults(Option.getOrThrow(audit), faults), now)
          return yield* state
        })
        assert.deepStrictEqual(yield* ended(friday, 3), Option.some({ endedAt: friday, faults: 3 }))
        const [saturday, sunday, monday] = [friday + day, friday + 2 * day, friday + 3 * day]
        assert.deepStrictEqual(yield* ended(saturday, 0), Option.some({ endedAt: saturday, faults: 3 }))
        assert.deepStrictEqual(yield* ended(sunday, 0), Option.some({ endedAt: sunday, faults: 0 }))
        assert.deepStrictEqual(yield* ended(monday, 1), Option.some({ endedAt: monday, faults: 1 }))
      }).pipe(Effect.provide(store))
    )
  })
}
