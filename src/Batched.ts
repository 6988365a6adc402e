import { Cause, type Context, Effect, Exit, type Result } from "effect"
import { makeFairQueue } from "./FairQueue.ts"
import { sampled } from "./observability/Tracing.ts"

/** How many batches of an operation run at the same time, and how many items each has at most. */
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
 * Calls a function at the end of this turn of the event loop. It ends in two rounds: what the callers of the first batches
 * ask for next, such as a charge after a look-up, begins in the second and not a turn later, when others have come.
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
  /** Names it in traces. */
  readonly name: string
  /** A result for each item, in order. */
  readonly all: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Result.Result<A, E>>>
  /** Whose item it is: where many wait, they are taken in turn. */
  readonly shareOf: (item: Item) => string
  /** How many items may wait, and what the others fail with; without it all may. */
  readonly overflow?: { readonly capacity: number; readonly failure: () => E }
  /** Called when a batch begins, with the number of items that still wait. */
  readonly onBegin?: (waiting: number) => void
  /** Called when a batch ends, with the number of its items and the seconds that it took. */
  readonly onEnd?: (items: number, seconds: number) => void
}

/** A caller that waits, first for its batch to begin and then for its result. */
class Caller<Item, A, E> {
  readonly item: Item
  readonly context: Context.Context<never>
  /** Lets the caller wait for its result, or ends it without one. */
  readonly begin: (begun: Effect.Effect<void, E>) => void
  #result: Effect.Effect<A, E> | undefined
  #resume: ((result: Effect.Effect<A, E>) => void) | undefined

  constructor(item: Item, context: Context.Context<never>, begin: (begun: Effect.Effect<void, E>) => void) {
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

const noResult = Cause.die(new Error("An operation on many items has not a result for each"))

/**
 * Makes an effect for one item of an operation on many: what is asked for in the same turn of the event loop, or while no
 * further batch may run, is done together, in the context of one of its callers. An item that comes alone waits for nobody.
 * It can be interrupted until its batch begins, also where what asks for it cannot be, and not after that.
 */
export const batched = <Item, A, E>(operation: Operation<Item, A, E>): ((item: Item) => Effect.Effect<A, E>) => {
  const { all, atOnce, most, name, onBegin, onEnd, overflow, shareOf } = operation
  const queue = makeFairQueue<Caller<Item, A, E>>(overflow?.capacity ?? Infinity)
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
    const callers = queue.take(most)
    const [first] = callers
    if (first === undefined) return
    const startedAt = performance.now()
    running++
    schedule()
    onBegin?.(queue.size())
    for (const caller of callers) caller.begin(Effect.void)
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
    if (isScheduled || running >= atOnce || queue.size() === 0) return
    isScheduled = true
    atEndOfTurn(begin)
  }

  return (item) =>
    Effect.contextWith((context: Context.Context<never>) =>
      Effect.flatMap(
        Effect.interruptible(
          Effect.callback<Caller<Item, A, E>, E>((resume) => {
            const caller = new Caller<Item, A, E>(item, context, (begun) => resume(Effect.as(begun, caller)))
            const refused = queue.offer(caller, shareOf(item))
            if (refused !== undefined && overflow !== undefined) refused.begin(Effect.fail(overflow.failure()))
            schedule()
            return Effect.sync(() => queue.remove(caller))
          })
        ),
        ({ result }) => Effect.uninterruptible(result)
      )
    )
}
