import { Array as Arr, type Context, Deferred, Effect, Exit, Request, RequestResolver, Result, Semaphore } from "effect"
import { sampled } from "./observability/Tracing.ts"

/** The number of batches of an operation that run at the same time, and the most items of each. */
export interface BatchSizes {
  readonly atOnce: number
  readonly most: number
}

const atTurnEnd: Array<() => void> = []
let isTurnEnding = false

const beginAll = () => {
  for (const begin of atTurnEnd.splice(0)) begin()
}

/**
 * Waits until the end of this turn of the event loop. It ends in two rounds, so that the next requests of the callers of
 * the first batches, such as a charge after a look-up, begin in the second round and not a turn later, behind newcomers.
 */
const endOfTurn = Effect.callback<void>((resume) => {
  atTurnEnd.push(() => resume(Effect.void))
  if (isTurnEnding) return
  isTurnEnding = true
  setImmediate(beginAll)
  setImmediate(() => {
    isTurnEnding = false
    beginAll()
  })
})

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

/**
 * Creates an effect for one item from an operation on many: items that arrive in the same turn of the event loop, or
 * while no further batch may run, are processed together, in the context of one of the callers. A single item is not
 * delayed. The effect is interruptible until its batch begins, even within an uninterruptible region, but not after
 * that.
 */
export const batched = <Item, A, E>(operation: Operation<Item, A, E>): ((item: Item) => Effect.Effect<A, E>) => {
  const { all, atOnce, most, name, onBegin, onEnd } = operation
  const running = Semaphore.makeUnsafe(atOnce)

  class Call extends Request.Class<{ readonly item: Item; readonly begin: () => void }, A, E> {
    readonly result = Deferred.makeUnsafe<A, E>()
    isInterrupted = false
  }

  const run = Effect.fnUntraced(function* (entries: ReadonlyArray<Request.Entry<Call>>) {
    const startedAt = performance.now()
    onBegin?.(entries.length)
    for (const { request } of entries) request.begin()
    const end = Effect.sync(() => onEnd?.(entries.length, (performance.now() - startedAt) / 1000))
    const results = yield* all(entries.map(({ request }) => request.item)).pipe(
      sampled(name, { "outreach_forecast.batch.size": entries.length }),
      Effect.ensuring(end)
    )
    // An entry that is not completed dies, as all of them do with a batch that dies.
    for (const [entry, result] of Arr.zip(entries, results)) {
      entry.completeUnsafe(Result.match(result, { onFailure: Exit.fail, onSuccess: Exit.succeed }))
    }
  })

  const resolver = RequestResolver.make<Call>((entries) =>
    running.withPermit(
      Effect.suspend(() => {
        const waiting = entries.filter(({ request }) => !request.isInterrupted)
        return waiting.length === 0 ? Effect.void : run(waiting)
      })
    )
  ).pipe(
    RequestResolver.setDelayEffect(Effect.andThen(endOfTurn, running.withPermit(Effect.void))),
    RequestResolver.batchN(most)
  )

  return (item) =>
    Effect.contextWith((context: Context.Context<never>) =>
      Effect.flatMap(
        Effect.interruptible(
          Effect.callback<Call>((resume) => {
            const call = new Call({ item, begin: () => resume(Effect.succeed(call)) })
            const onExit = (exit: Exit.Exit<A, E>) => Deferred.doneUnsafe(call.result, exit)
            Effect.requestUnsafe(call, { resolver, context, onExit })
            return Effect.sync(() => {
              call.isInterrupted = true
            })
          })
        ),
        ({ result }) => Effect.uninterruptible(Deferred.await(result))
      )
    )
}
