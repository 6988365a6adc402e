import { type Context, Effect, Exit } from "effect"
import { sampled } from "../observability/Telemetry.ts"

/** The number of batches of an operation that run at the same time, and the most items of each. */
export interface BatchSizes {
  readonly atOnce: number
  readonly most: number
}

const atTurnEnd: Array<() => void> = []
let isTurnEnding = false
/** The number of items that have arrived so far, of all operations. */
let arrived = 0

/** The most turns that items are gathered in. */
const maxTurns = 32

/** Begins batches at the end of a turn, unless items have arrived since there were `seen`: then at that of a later one. */
const endTurn = (turn: number, seen?: number): void =>
  void setImmediate(() => {
    if (arrived !== seen && turn < maxTurns) return endTurn(turn + 1, arrived)
    isTurnEnding = false
    for (const begin of atTurnEnd.splice(0)) begin()
  })

/**
 * Calls a function at the end of the first turn of the event loop that brings no item: Node accepts one connection a
 * turn, so each request on a new connection would take a commit of its own.
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
  readonly all: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Exit.Exit<A, E>>>
}

/** An item that waits for its batch. */
interface Waiting<Item, A, E> {
  readonly item: Item
  /** The context of its caller. */
  readonly context: Context.Context<never>
  /**
   * Called when its batch begins, with a function that calls another with the result. The function that it returns is
   * called once all items of the batch have begun: a caller that goes on may interrupt another.
   */
  readonly begin: (whenEnded: (end: (result: Exit.Exit<A, E>) => void) => void) => () => void
}

/** Adds an item to the next batch. The returned function takes it out, or returns false if its batch has begun. */
export type Add<Item, A, E> = (item: Waiting<Item, A, E>) => () => boolean

const noResult = Exit.die(new Error("An operation on many items does not have a result for each"))

/**
 * Creates batches of an operation: items that arrive before a turn of the event loop brings no other, or while no
 * further batch may run, are processed together, in the context of one of their callers.
 */
export const makeBatches = <Item, A, E>(operation: Operation<Item, A, E>): Add<Item, A, E> => {
  const { all, atOnce, most, name } = operation
  /** In order of arrival. */
  const waiting: Array<Waiting<Item, A, E>> = []
  let running = 0
  let isScheduled = false

  const begin = () => {
    isScheduled = false
    const items = waiting.splice(0, most)
    const [first] = items
    if (first === undefined) return
    running++
    schedule()
    const fiber = all(items.map(({ item }) => item)).pipe(
      sampled(name, { "outreach_forecast.batch.size": items.length }),
      Effect.runForkWith(first.context)
    )
    fiber.addObserver(() => {
      running--
      schedule()
    })
    const proceeding = items.map(({ begin }, i) =>
      begin((end) =>
        fiber.addObserver((exit) =>
          end(Exit.isFailure(exit) ? Exit.failCause(exit.cause) : (exit.value[i] ?? noResult))
        )
      )
    )
    for (const proceed of proceeding) proceed()
  }

  const schedule = () => {
    if (isScheduled || running >= atOnce || waiting.length === 0) return
    isScheduled = true
    atEndOfTurn(begin)
  }

  return (item) => {
    waiting.push(item)
    arrived++
    schedule()
    return () => {
      const at = waiting.indexOf(item)
      if (at >= 0) waiting.splice(at, 1)
      return at >= 0
    }
  }
}

/**
 * Adds an item to the next batch and waits for its result. Interruptible until the batch begins, even within an
 * uninterruptible region, but not after that.
 */
export const inBatch = <Item, A, E>(add: Add<Item, A, E>, item: Item): Effect.Effect<A, E> =>
  Effect.contextWith((context: Context.Context<never>) => {
    let result: Effect.Effect<A, E> | undefined
    const begun = Effect.callback<void>((resume) => {
      const begin: Waiting<Item, A, E>["begin"] = (whenEnded) => {
        result = Effect.uninterruptible(Effect.callback((end) => whenEnded(end)))
        return () => resume(Effect.void)
      }
      const remove = add({ item, context, begin })
      return Effect.sync(remove)
    })
    return Effect.matchCauseEffect(Effect.interruptible(begun), {
      onSuccess: () => result ?? noResult,
      // Another caller of the batch may go on first, and interrupt this one.
      onFailure: (cause) => result ?? Effect.failCause(cause)
    })
  })
