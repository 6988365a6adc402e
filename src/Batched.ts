import { Cause, type Context, Effect, Exit, type Result } from "effect"
import { sampled } from "./observability/Tracing.ts"

/** A waiting item, and the share that it counts against. */
interface Place<Item> {
  readonly item: Item
  readonly share: string
}

/**
 * The place of the newest item of the largest share, if that has at least two more items than the share of the
 * newcomer.
 */
const findRoom = <Item>(waiting: ReadonlyArray<Place<Item>>, newcomer: string): number | undefined => {
  const counts = new Map([[newcomer, 0]])
  for (const { share } of waiting) counts.set(share, (counts.get(share) ?? 0) + 1)
  const own = counts.get(newcomer) ?? 0
  let [largest, most] = [newcomer, own]
  for (const [share, count] of counts) if (count > most) [largest, most] = [share, count]
  return most > own + 1 ? waiting.findLastIndex(({ share }) => share === largest) : undefined
}

/**
 * Creates a queue of at most `capacity` items, each of which belongs to a share, such as a key's. If all places are
 * taken, an item of a small share takes the place of the newest item of the largest share. Items are taken in turn: the
 * first of each share, then the second of each.
 */
export const makeFairQueue = <Item>(capacity: number) => {
  let waiting: Array<Place<Item>> = []
  return {
    size: (): number => waiting.length,

    /** Adds an item. Returns the item that is left without a place, if any: this one, or one whose place it takes. */
    offer: (item: Item, share: string): Item | undefined => {
      const place = { item, share }
      if (waiting.length < capacity) {
        waiting.push(place)
        return undefined
      }
      const room = findRoom(waiting, share)
      if (room === undefined) return item
      const [removed] = waiting.splice(room, 1)
      waiting.push(place)
      return removed?.item
    },

    /** Removes and returns at most `most` items. */
    take: (most: number): ReadonlyArray<Item> => {
      let taken = waiting
      waiting = []
      if (taken.length > most) {
        const counts = new Map<string, number>()
        const inTurn = taken.map((place) => {
          const turn = counts.get(place.share) ?? 0
          counts.set(place.share, turn + 1)
          return { place, turn }
        })
        const chosen = new Set(
          inTurn
            .toSorted((a, b) => a.turn - b.turn)
            .slice(0, most)
            .map(({ place }) => place)
        )
        waiting = taken.filter((place) => !chosen.has(place))
        taken = [...chosen]
      }
      return taken.map(({ item }) => item)
    },

    /** Removes an item. Returns false if it is not in the queue. */
    remove: (item: Item): boolean => {
      const index = waiting.findIndex((place) => place.item === item)
      if (index >= 0) waiting.splice(index, 1)
      return index >= 0
    }
  }
}

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
  /** The share that an item counts against: if many wait, shares take turns. */
  readonly shareOf: (item: Item) => string
  /** The most items that may wait, and the failure of any more; unlimited by default. */
  readonly overflow?: { readonly capacity: number; readonly failure: () => E }
  /** Called when a batch begins, with the number of items still waiting. */
  readonly onBegin?: (waiting: number) => void
  /** Called when a batch ends, with the number of its items and its duration in seconds. */
  readonly onEnd?: (items: number, seconds: number) => void
}

/** A waiting caller: first for its batch to begin, then for its result. */
class Caller<Item, A, E> {
  readonly item: Item
  readonly context: Context.Context<never>
  /** Lets the caller wait for its result, or fails it. */
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

const noResult = Cause.die(new Error("An operation on many items does not have a result for each"))

/**
 * Creates an effect for one item from an operation on many: items that arrive in the same turn of the event loop, or
 * while no further batch may run, are processed together, in the context of one of the callers. A single item is not
 * delayed. The effect is interruptible until its batch begins, even within an uninterruptible region, but not after
 * that.
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
