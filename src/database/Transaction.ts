import { Context, Effect, Layer, Semaphore } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { toDefect, waitForLock } from "./Database.ts"

/** Makes the changes that several stores do in one effect happen all together, durably, or not at all; a nested one joins the outer. */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("outreach-forecast/database/Transaction") {
  /** A database transaction. It takes the write lock at once: one that starts by reading could lose it to another. */
  static readonly layer = Layer.effect(
    Transaction,
    Effect.map(SqlClient.SqlClient, (sql) =>
      Transaction.of({
        run: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
          sql.withTransaction(effect).pipe(
            Effect.provideService(SqlClient.BeginTransaction, "BEGIN IMMEDIATE"),
            waitForLock,
            Effect.catchIf((error: E | SqlError.SqlError) => SqlError.isSqlError(error), toDefect)
          )
      })
    )
  )

  /** One at a time over `MemoryTables`, whose content is put back where the effect does not succeed. */
  static readonly layerMemory = Layer.effect(
    Transaction,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const one = yield* Semaphore.make(1)
      const outermost = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        one.withPermit(
          Effect.suspend(() => {
            const restore = tables.snapshot()
            return Effect.onError(Effect.provideService(effect, IsInTransaction, true), () => Effect.sync(restore))
          })
        )
      return Transaction.of({
        run: (effect) => Effect.flatMap(IsInTransaction, (isNested) => (isNested ? effect : outermost(effect)))
      })
    })
  )
}

const IsInTransaction = Context.Reference("outreach-forecast/database/IsInTransaction", { defaultValue: () => false })

/** The tables of the stores' memory layers, kept together so that a transaction can undo what it did to them. */
export class MemoryTables extends Context.Service<
  MemoryTables,
  {
    /** A new, empty table. Its rows must be immutable. */
    readonly make: <Row>() => Map<string, Row>
    /** Remembers the content of all tables; the function it returns puts it back. */
    readonly snapshot: () => () => void
  }
>()("outreach-forecast/database/MemoryTables") {
  static readonly layer = Layer.sync(MemoryTables, () => {
    const snapshots: Array<() => () => void> = []
    return MemoryTables.of({
      make: <Row>() => {
        const rows = new Map<string, Row>()
        snapshots.push(() => {
          const before = [...rows]
          return () => {
            rows.clear()
            for (const [key, row] of before) rows.set(key, row)
          }
        })
        return rows
      },
      snapshot: () => {
        const restores = snapshots.map((snapshot) => snapshot())
        return () => restores.forEach((restore) => restore())
      }
    })
  })
}
