import { Cause, type Context, Effect, Exit, type Result } from "effect"
import { sampled } from "./observability/Telemetry.ts"

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
 * Calls a function at the end of this turn of the event loop. It ends in two rounds, so that the next requests of the
 * callers of the first batches, such as a charge after a look-up, begin in the second round and not a turn later,
 * behind newcomers.
 */
const atEndOfTurn = (begin: () => void): void => {
  atTurnEnd.push(begin)
  if (isTurnEnding) return
  isTurnEnding = true
  setImmediate(beginAll)
  setImmediate(() => {
    isTurnEnding = false
    beginAll()
  })
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

/** A waiting caller: first for its batch to begin, then for its result. */
class Caller<Item, A, E> {
  readonly item: Item
  readonly context: Context.Context<never>
  /** Lets the caller wait for its result. */
  readonly begin: () => void
  #result: Effect.Effect<A, E> | undefined
  #resume: ((result: Effect.Effect<A, E>) => void) | undefined

  constructor(item: Item, context: Context.Context<never>, begin: () => void) {
    this.item = item
    this.context = context
    this.begin = begin
  }

  end(result: Effect.Effect<A, E>): void {
    this.#result = result
    this.#resume?.(result)
  }

  readonly result: Effect.Effect<A, E> = Effect.callback((resume) => {
    if (this.#result === undefined) this.#resume = resume
    else resume(this.#result)
  })
}

const noResult = Cause.die(new Error("An operation on many items does not have a result for each"))

/**
 * Creates an effect for one item from an operation on many: items that arrive in the same turn of the event loop, or
 * while no further batch may run, are processed together, in the context of one of the callers. A single item is not
 * delayed. The effect is interruptible until its batch begins, even within an uninterruptible region, but not after
 * that.
 */
export const batched = <Item, A, E>(operation: Operation<Item, A, E>): ((item: Item) => Effect.Effect<A, E>) => {
  const { all, atOnce, most, name, onBegin, onEnd } = operation
  /** In order of arrival. */
  const waiting: Array<Caller<Item, A, E>> = []
  let running = 0
  let isScheduled = false

  const end = (callers: ReadonlyArray<Caller<Item, A, E>>, exit: Exit.Exit<ReadonlyArray<Result.Result<A, E>>>) => {
    for (const [i, caller] of callers.entries()) {
      if (Exit.isFailure(exit)) caller.end(Effect.failCause(exit.cause))
      else {
        const result = exit.value[i]
        caller.end(result === undefined ? Effect.failCause(noResult) : Effect.fromResult(result))
      }
    }
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
    for (const caller of callers) caller.begin()
    all(callers.map(({ item }) => item))
      .pipe(sampled(name, { "outreach_forecast.batch.size": callers.length }), Effect.runForkWith(first.context))
      .addObserver((exit) => {
        running--
        onEnd?.(callers.length, (performance.now() - startedAt) / 1000)
        end(callers, exit)
        schedule()
      })
  }

  const schedule = () => {
    if (isScheduled || running >= atOnce || waiting.length === 0) return
    isScheduled = true
    atEndOfTurn(begin)
  }

  return (item) =>
    Effect.contextWith((context: Context.Context<never>) =>
      Effect.flatMap(
        Effect.interruptible(
          Effect.callback<Caller<Item, A, E>>((resume) => {
            const caller = new Caller<Item, A, E>(item, context, () => resume(Effect.succeed(caller)))
            waiting.push(caller)
            schedule()
            return Effect.sync(() => {
              const at = waiting.indexOf(caller)
              if (at >= 0) waiting.splice(at, 1)
            })
          })
        ),
        ({ result }) => Effect.uninterruptible(result)
      )
    )
}
