import { Context, Effect, Layer, Option } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { dialectOf } from "./Statements.ts"
import { isSerializationFailure, orUnavailable, toDefect, waitForLock } from "./Failures.ts"
import type { BatchSizes } from "./Batches.ts"

/** The actions that wait for the commit of the outermost transaction; undefined outside of one. */
const Committing = Context.Reference<Array<() => void> | undefined>("outreach-forecast/database/Committing", {
  defaultValue: () => undefined
})

/**
 * Runs an action after the outermost transaction has committed, and never if it is rolled back: an effect in a
 * transaction may run several times. Outside of a transaction it runs immediately.
 */
export const onceCommitted = (act: () => void): Effect.Effect<void> =>
  Effect.flatMap(Committing, (waiting) =>
    Effect.sync(() => {
      if (waiting === undefined) act()
      else waiting.push(act)
    })
  )

/** Runs an effect in a transaction, and then the actions that wait for its commit. */
const thenCommitted = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  run: (effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Committing, (outer) => {
    if (outer !== undefined) return run(effect)
    const waiting: Array<() => void> = []
    const attempt = Effect.suspend(() => {
      waiting.length = 0
      return Effect.provideService(effect, Committing, waiting)
    })
    return Effect.tap(run(attempt), () =>
      Effect.sync(() => {
        for (const act of waiting) act()
      })
    )
  })

/** The same for both ways to run a transaction. */
const withCommitted = ({ batches, run, runLocking }: Transaction["Service"]): Transaction["Service"] =>
  Transaction.of({
    run: (effect) => thenCommitted(effect, run),
    runLocking: (effect) => thenCommitted(effect, runLocking),
    batches
  })

/** Makes the changes of several stores in one effect atomic and durable; a nested transaction joins the outer one. */
export class Transaction extends Context.Service<
  Transaction,
  {
    /**
     * Runs an effect as if no other transaction ran at the same time. It may run several times, so it must only read
     * and write.
     */
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Like `run`, for an effect whose first statement locks everything that it reads and changes against other
     * transactions, so that these cannot interfere.
     */
    readonly runLocking: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** The number and size of concurrent batches that suit the database best. */
    readonly batches: BatchSizes
  }
>()("outreach-forecast/database/Transaction") {
  /** A database transaction. */
  static readonly layer = Layer.effect(
    Transaction,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      if (!dialectOf(sql).isPostgres) {
        const run = onSqlite(sql)
        return withCommitted({ run, runLocking: run, batches: oneAtATime })
      }
      return withCommitted({
        run: onPostgres(sql, inTransaction(sql, "BEGIN ISOLATION LEVEL SERIALIZABLE")),
        runLocking: onPostgres(sql, inTransaction(sql, "BEGIN ISOLATION LEVEL READ COMMITTED")),
        // While the server works on one batch, the next one is prepared.
        batches: { atOnce: 2, most: 32 }
      })
    })
  )
}

const oneAtATime: BatchSizes = { atOnce: 1, most: 256 }

const withoutSqlError = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.catchIf(effect, (error: E | SqlError.SqlError) => SqlError.isSqlError(error), toDefect)

type Run = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const inTransaction =
  (sql: SqlClient.SqlClient, begin: string): Run =>
  (effect) =>
    sql.withTransaction(effect).pipe(Effect.provideService(SqlClient.BeginTransaction, begin), withoutSqlError)

/** Takes the write lock at the start: a transaction that starts by reading could lose it to another one. */
const onSqlite =
  (sql: SqlClient.SqlClient): Run =>
  (effect) =>
    sql
      .withTransaction(effect)
      .pipe(Effect.provideService(SqlClient.BeginTransaction, "BEGIN IMMEDIATE"), waitForLock, withoutSqlError)

/** The number of times that a transaction is retried after a conflict. */
const retriesAlone = 100

/** After this many retries, a transaction locks the others out. */
const retries = 5

/**
 * A connection lost in the middle is a defect, and the server rolls the transaction back. The debits of a busy key
 * follow each other without a gap, so a transaction that reads its balance before changing it might never get its turn:
 * as a last resort it first locks all balances; waiting transactions queue for the lock.
 */
const onPostgres =
  (sql: SqlClient.SqlClient, transaction: Run): Run =>
  (effect) => {
    const once = transaction(effect)
    const lockAll = withoutSqlError(sql`LOCK TABLE credit_balances IN EXCLUSIVE MODE`)
    const alone = transaction(Effect.andThen(lockAll, effect))
    const again = once.pipe(
      Effect.sandbox,
      Effect.retry({ while: isSerializationFailure, times: retries }),
      Effect.catchIf(isSerializationFailure, () =>
        Effect.retry(Effect.sandbox(alone), { while: isSerializationFailure, times: retriesAlone })
      ),
      Effect.catch((cause) => Effect.failCause(orUnavailable(cause)))
    )
    return Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
      Option.isSome(outer) ? once : again
    )
  }
