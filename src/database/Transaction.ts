import { Context, Effect, Exit, Fiber, Function, Layer, Option, type Result } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { dialectOf } from "./Statements.ts"
import { isSerializationFailure, orUnavailable, toDefect, waitForLock } from "./Failures.ts"
import { sampled } from "../observability/Telemetry.ts"

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

/** The number of batches of an operation that run at the same time, and the most items of each. */
interface BatchSizes {
  readonly atOnce: number
  readonly most: number
}

const atTurnEnd: Array<() => void> = []
let isTurnEnding = false
/** The number of items that have arrived so far, of all operations. */
let arrived = 0

/** The most turns that items are gathered in. */
const maxTurns = 32

const beginAll = () => {
  for (const begin of atTurnEnd.splice(0)) begin()
}

/** Begins batches at the end of a turn, unless items have arrived since there were `seen`: then at that of a later one. */
const endTurn = (turn: number, seen?: number): void => {
  let isLast = false
  setImmediate(() => {
    isLast = arrived === seen || turn === maxTurns
    if (isLast) beginAll()
    else endTurn(turn + 1, arrived)
  })
  setImmediate(() => {
    if (!isLast) return
    isTurnEnding = false
    beginAll()
  })
}

/**
 * Calls a function at the end of the first turn of the event loop that brings no item: Node accepts one connection a
 * turn, so each request on a new connection would take a commit of its own. The turn ends in two rounds, so that the
 * next requests of the callers of the first batches, such as a charge after a look-up, begin in the second round and
 * not a turn later, behind newcomers.
 */
const atEndOfTurn = (begin: () => void): void => {
  atTurnEnd.push(begin)
  if (isTurnEnding) return
  isTurnEnding = true
  endTurn(1)
}

/** An operation on many items. */
interface Operation<Item, A, E> extends BatchSizes {
  /** The name in traces. */
  readonly name: string
  /** A result for each item, in order. */
  readonly all: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Result.Result<A, E>>>
  /** Called when a batch begins, with the number of its items. */
  readonly onBegin?: (items: number) => void
  /** Called when a batch ends, with the number of its items and its duration in seconds. */
  readonly onEnd?: (items: number, seconds: number) => void
}

/** A caller that waits for its batch. */
interface Caller<Item, A, E> {
  readonly item: Item
  readonly context: Context.Context<never>
  /** Its result, or the wait for it, once the batch has begun. */
  result: Effect.Effect<A, E> | undefined
  /** Lets the caller go on to its result. */
  proceed: () => void
}

const noResult = Effect.die(new Error("An operation on many items does not have a result for each"))

/**
 * Creates an effect for one item from an operation on many: items that arrive before a turn of the event loop brings no
 * other, or while no further batch may run, are processed together, in the context of one of the callers. The effect is
 * interruptible until its batch begins, even within an uninterruptible region, but not after that.
 */
export const batched = <Item, A, E>(operation: Operation<Item, A, E>): ((item: Item) => Effect.Effect<A, E>) => {
  const { all, atOnce, most, name, onBegin, onEnd } = operation
  /** In order of arrival. */
  const waiting: Array<Caller<Item, A, E>> = []
  let running = 0
  let isScheduled = false

  const resultOf = (exit: Exit.Exit<ReadonlyArray<Result.Result<A, E>>>, i: number): Effect.Effect<A, E> => {
    if (Exit.isFailure(exit)) return Effect.failCause(exit.cause)
    const result = exit.value[i]
    return result === undefined ? noResult : Effect.fromResult(result)
  }

  const begin = () => {
    isScheduled = false
    const callers = waiting.splice(0, most)
    const [first] = callers
    if (first === undefined) return
    const startedAt = performance.now()
    running++
    schedule()
    onBegin?.(callers.length)
    const fiber = all(callers.map(({ item }) => item)).pipe(
      sampled(name, { "outreach_forecast.batch.size": callers.length }),
      Effect.runForkWith(first.context)
    )
    const ended = fiber.pollUnsafe()
    fiber.addObserver(() => {
      running--
      onEnd?.(callers.length, (performance.now() - startedAt) / 1000)
      schedule()
    })
    for (const [i, caller] of callers.entries()) {
      caller.result =
        ended === undefined
          ? Effect.uninterruptible(Effect.flatMap(Fiber.await(fiber), (exit) => resultOf(exit, i)))
          : resultOf(ended, i)
    }
    for (const { proceed } of callers) proceed()
  }

  const schedule = () => {
    if (isScheduled || running >= atOnce || waiting.length === 0) return
    isScheduled = true
    atEndOfTurn(begin)
  }

  return (item) =>
    Effect.contextWith((context: Context.Context<never>) => {
      const caller: Caller<Item, A, E> = { item, context, result: undefined, proceed: Function.constVoid }
      const begun = Effect.callback<void>((resume) => {
        caller.proceed = () => resume(Effect.void)
        waiting.push(caller)
        arrived++
        schedule()
        return Effect.sync(() => {
          const at = waiting.indexOf(caller)
          if (at >= 0) waiting.splice(at, 1)
        })
      })
      return Effect.matchCauseEffect(Effect.interruptible(begun), {
        onSuccess: () => caller.result ?? noResult,
        // Another caller of the batch may go on first, and interrupt this one.
        onFailure: (cause) => caller.result ?? Effect.failCause(cause)
      })
    })
}
