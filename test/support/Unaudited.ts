import { assert } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { tables } from "../../src/database/Tables.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { applicationsWith } from "./Application.ts"

const fault = "The audit log fails"

/** The switch that makes the audit log fail once it has written an entry. */
class AuditFault extends Context.Service<AuditFault, { isOn: boolean }>()("outreach-forecast/test/AuditFault") {
  static readonly layer = Layer.sync(AuditFault, () => ({ isOn: false }))
}

const failingLog = Layer.effect(
  AuditLog,
  Effect.gen(function* () {
    const state = yield* AuditFault
    const log = yield* AuditLog
    return AuditLog.of({
      ...log,
      append: (...entry) =>
        Effect.andThen(
          log.append(...entry),
          Effect.suspend(() => (state.isOn ? Effect.die(new Error(fault)) : Effect.void))
        )
    })
  })
).pipe(Layer.provideMerge(AuditFault.layer))

/** The services over a database in memory, whose audit log fails where `assertAllOrNothing` asks for that. */
export const { SQLite: unaudited } = applicationsWith<AuditFault>((stores) =>
  failingLog.pipe(Layer.provideMerge(stores))
)

const stored = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.all(Object.fromEntries(tables.map(({ name }) => [name, sql`SELECT * FROM ${sql(name)}`])))
})

/** Checks that a change leaves the database as it was if its entry in the audit log fails. */
export const assertAllOrNothing = Effect.fnUntraced(function* <A, E, R>(name: string, change: Effect.Effect<A, E, R>) {
  const state = yield* AuditFault
  const before = yield* stored
  state.isOn = true
  const exit = yield* Effect.exit(change)
  state.isOn = false
  assert.include(Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "", fault, name)
  assert.deepStrictEqual(yield* stored, before, name)
})
