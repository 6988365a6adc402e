import { Clock, Context, Deferred, Duration, Effect, Layer, Schema } from "effect"
import { RateLimiter } from "effect/persistence"

/** Too many requests are waiting to answer this one in time; it was not started. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {}) {}

/** Too many requests of one kind within a period; `retryAfter` is in seconds. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", { retryAfter: Schema.Int }) {}

/** The least number of the most recently used buckets, and of the most recently refused names, that are kept. */
const minKept = 10_000

/**
 * The bodies above 64 KiB that are read at a time: of one key, and of all; of one client without a key, and of all,
 * which have slots of their own, so that they take none from keys.
 */
const maxLargeBodies = { ofKeys: { each: 16, all: 64 }, ofClients: { each: 16, all: 16 } }

/** Token buckets by name, of one size, in the memory of this process. */
export interface Buckets {
  /**
   * Takes one token or this many, or as many as a full bucket has, if they are there. Returns the milliseconds to wait
   * for them, 0 if they were taken.
   */
  readonly take: (name: string, count?: number) => number
  /** The same, or fails with RateLimited. */
  readonly count: (name: string, count?: number) => Effect.Effect<void, RateLimited>
  /** Takes this many tokens, or all that are left; a negative number gives tokens back. */
  readonly spend: (name: string, count: number) => void
}

const refused = (millis: number) => new RateLimited({ retryAfter: Math.max(1, Math.ceil(millis / 1000)) })

/** The names of the counts of emails for requests without a key: those that are the first of a network, and others. */
export const keylessMails = { first: "first emails without a key", further: "further emails without a key" } as const

/**
 * Limits of a client, a key or a mailbox: for seconds and minutes in the memory of this process, for hours in a table
 * shared by all instances. They keep one client from taking the service from the others or flooding the world with
 * emails, the world from flooding one address with emails, and the owner of a key from changing it constantly.
 */
export class Limits extends Context.Service<
  Limits,
  {
    /** Creates token buckets of this size, which are full again after `refill` milliseconds. */
    readonly buckets: (options: BucketOptions) => Buckets
    /** The slots of bodies above 64 KiB, by key, and by client for requests without one. */
    readonly largeBodies: {
      readonly [caller in keyof typeof maxLargeBodies]: Pick<ReturnType<typeof makeSlots>, "hold">
    }
    /** Counts an event by name, such as an email to one address. Fails with RateLimited after `limit` in this hour. */
    readonly count: (name: string, limit: number) => Effect.Effect<void, RateLimited>
  }
>()("outreach-forecast/Limits") {
  static readonly layer = Layer.effect(
    Limits,
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      const clock = yield* Clock.Clock
      // Setting the system clock back would empty all buckets.
      const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      /** The time until which each name is refused, without a write to the store. */
      const refusedUntil = makeLruCache<string, number>(minKept)

      const count = (key: string, limit: number) =>
        Effect.suspend(() => {
          const left = (refusedUntil.get(key) ?? -Infinity) - now()
          if (left > 0) return Effect.fail(refused(left))
          return limiter.consume({ key, limit, window: "1 hour" }).pipe(
            Effect.catch(({ reason }) => {
              if (reason._tag !== "RateLimitExceeded") return Effect.die(reason)
              const millis = Duration.toMillis(reason.retryAfter)
              refusedUntil.set(key, now() + millis)
              return Effect.fail(refused(millis))
            }),
            Effect.asVoid
          )
        })

      const slots = (most: { readonly each: number; readonly all: number }) =>
        makeSlots({ ...most, refusal: () => new Overloaded() })

      return Limits.of({
        buckets: (options) => makeBuckets(options, now),
        largeBodies: { ofKeys: slots(maxLargeBodies.ofKeys), ofClients: slots(maxLargeBodies.ofClients) },
        count
      })
    })
  ).pipe(Layer.provide(RateLimiter.layer))
}

interface BucketOptions {
  readonly size: number
  readonly refill: number
}

/** Tolerance for floating-point rounding, in tokens. */
const tolerance = 1e-6

/**
 * Creates token buckets: each holds `size` tokens, and an empty one is full again after `refill` milliseconds. `now` is
 * in milliseconds, from a monotonic clock; if it goes back, the wait is no longer than for an empty bucket.
 */
export const makeBuckets = ({ refill, size }: BucketOptions, now: () => number): Buckets => {
  const interval = refill / size
  /** The time when each bucket is full again. */
  const fullAt = makeLruCache<string, number>(minKept)

  const fullTime = (name: string, at: number) => Math.min(Math.max(fullAt.get(name) ?? at, at), at + refill)

  const take = (name: string, count = 1): number => {
    const at = now()
    const time = interval * Math.min(count, size)
    const before = fullTime(name, at)
    const wait = before + time - (at + refill)
    const isTaken = wait < interval * tolerance
    fullAt.set(name, isTaken ? before + time : before)
    return isTaken ? 0 : wait
  }

  return {
    take,
    count: (name, count) =>
      Effect.suspend(() => {
        const wait = take(name, count)
        return wait > 0 ? Effect.fail(refused(wait)) : Effect.void
      }),
    spend: (name, count) => fullAt.set(name, fullTime(name, now()) + count * interval)
  }
}

/** The standing of a request for its server, which may close its connection for a new one while nothing is lost. */
export interface Standing {
  /** The request waits for a line or turn of the service until the returned function says that it was not closed. */
  readonly wait: () => () => boolean
  /** The request is refused, and only its response is still held back. */
  readonly refuse: () => void
}

/** The standing without a server that closes connections. */
export const noStanding: Standing = { wait: () => () => true, refuse: () => {} }

/** The standing of the current request. */
export const CurrentStanding = Context.Reference<Standing>("outreach-forecast/Limits/CurrentStanding", {
  defaultValue: () => noStanding
})

/**
 * Runs an effect that waits for a line or turn of the service, and runs `begun` once it has it. Meanwhile the connection
 * of the request may be closed for a new one: then it never begins.
 */
export const waiting = <A, E, R>(
  wait: (begun: Effect.Effect<void>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(CurrentStanding, (standing) => {
    const end = standing.wait()
    // A connection that was closed a moment ago is about to interrupt its request.
    const begun = Effect.suspend(() => (end() ? Effect.void : Effect.interruptible(Effect.never)))
    return Effect.ensuring(wait(begun), Effect.sync(end))
  })

/** A slot that is taken. */
interface Slot {
  readonly name: string
  hasBegun: boolean
  /** True while its holder waits for something else, and others of its name may begin in its place. */
  isAside?: boolean
  /** Called when its turn comes, if it has to wait for it. */
  begin?: (() => void) | undefined
  /** Called if it is taken away; undefined once it cannot be. */
  cut?: (() => void) | undefined
}

/** A slot with a turn, for code without effects. */
export interface Place {
  /** True if its turn has come. */
  readonly hasBegun: () => boolean
  readonly release: () => void
  /** Lets others of its name begin in its place, until the returned function is called. */
  readonly stepAside: () => () => void
}

/** The slots that are taken by one name, the oldest first. */
interface Holder {
  readonly slots: Set<Slot>
  running: number
  waiting: number
}

interface Options<E> {
  /** The most slots of one name. */
  readonly each?: number
  /** The most slots in total. If all are taken, the newest of the name with the most is cut for a name with fewer. */
  readonly all?: number
  /** The most slots of one name that begin before another one is released: the others wait in order. */
  readonly atOnce?: number
  /** The failure of a name that gets no slot. */
  readonly refusal: (name: string) => E
}

/** Creates slots by name, such as a key's or a client's, in the memory of this process; unlimited by default. */
export const makeSlots = <E>({ all = Infinity, atOnce = Infinity, each = Infinity, refusal }: Options<E>) => {
  const holders = new Map<string, Holder>()
  let total = 0

  const proceed = (holder: Holder) => {
    for (const slot of holder.slots) {
      if (holder.waiting === 0 || holder.running >= atOnce) return
      if (slot.hasBegun) continue
      holder.waiting--
      begin(holder, slot)
    }
  }

  const begin = (holder: Holder, slot: Slot) => {
    slot.hasBegun = true
    holder.running++
    const { begin } = slot
    slot.begin = undefined
    begin?.()
  }

  const release = (slot: Slot) => {
    const holder = holders.get(slot.name)
    if (holder === undefined || !holder.slots.delete(slot)) return
    total--
    if (!slot.hasBegun) holder.waiting--
    else if (slot.isAside !== true) holder.running--
    if (holder.slots.size === 0) holders.delete(slot.name)
    else proceed(holder)
  }

  /** Cuts the newest slot of the name with the most, if it has at least two more than `own`. Returns false if not. */
  const makeRoom = (own: number) => {
    const largest = [...holders.values()].reduce((a, b) => (b.slots.size > a.slots.size ? b : a))
    if (largest.slots.size <= own + 1) return false
    const newest = [...largest.slots].findLast(({ cut }) => cut !== undefined)
    if (newest === undefined) return false
    release(newest)
    newest.cut?.()
    return true
  }

  const take = (slot: Slot): boolean => {
    const holder = holders.get(slot.name) ?? { slots: new Set(), running: 0, waiting: 0 }
    const { size } = holder.slots
    if (size >= each || (total >= all && !makeRoom(size))) return false
    holders.set(slot.name, holder)
    holder.slots.add(slot)
    total++
    if (holder.running < atOnce) begin(holder, slot)
    else holder.waiting++
    return true
  }

  const stepAside = (slot: Slot): (() => void) => {
    const holder = holders.get(slot.name)
    if (holder?.slots.has(slot) !== true || !slot.hasBegun || slot.isAside === true) return () => {}
    slot.isAside = true
    holder.running--
    proceed(holder)
    return () => {
      if (!holder.slots.has(slot)) return
      slot.isAside = false
      holder.running++
    }
  }

  const enter = (name: string) =>
    Effect.suspend(() => {
      const slot: Slot = { name, hasBegun: false }
      if (!take(slot)) return Effect.fail(refusal(name))
      if (slot.hasBegun) return Effect.succeed({ slot, turn: Effect.void })
      const turn = Deferred.makeUnsafe<void, E>()
      slot.begin = () => {
        slot.cut = undefined
        Deferred.doneUnsafe(turn, Effect.void)
      }
      slot.cut = () => Deferred.doneUnsafe(turn, Effect.fail(refusal(name)))
      return Effect.succeed({
        slot,
        turn: waiting((begun) => Effect.andThen(Effect.interruptible(Deferred.await(turn)), begun))
      })
    })

  const leave = ({ slot }: { readonly slot: Slot }) => Effect.sync(() => release(slot))

  return {
    /** The number of slots of all names that are taken. */
    total: (): number => total,
    /** The number of slots of a name that are taken. */
    of: (name: string): number => holders.get(name)?.slots.size ?? 0,
    /**
     * Takes a slot. Returns a function that releases it, or undefined if there is none. The slot may be cut until it is
     * released, which calls `cut`.
     */
    hold: (name: string, cut: () => void): (() => void) | undefined => {
      const slot = { name, hasBegun: false, cut }
      return take(slot) ? () => release(slot) : undefined
    },
    /** Takes a slot, and calls `begin` when its turn comes, unless it has come already. Undefined if there is none. */
    queue: (name: string, begin: () => void): Place | undefined => {
      const slot: Slot = { name, hasBegun: false }
      if (!take(slot)) return undefined
      if (!slot.hasBegun) slot.begin = begin
      return {
        hasBegun: () => slot.hasBegun,
        release: () => release(slot),
        stepAside: () => stepAside(slot)
      }
    },
    /**
     * Takes a slot until an effect ends, which waits for its turn where it needs it. It may be cut before that, but not
     * afterwards. Interruptible while it waits, even within an uninterruptible region.
     */
    use: <A, F, R>(name: string, effect: (turn: Effect.Effect<void, E>) => Effect.Effect<A, F, R>) =>
      Effect.acquireUseRelease(enter(name), ({ turn }) => effect(turn), leave),
    /** The same until the scope closes: returns the turn. */
    enter: (name: string) => Effect.map(Effect.acquireRelease(enter(name), leave), ({ turn }) => turn)
  }
}

/**
 * A cache of the most recently used values: at least `size`, at most twice as many. Of two tables, the older one is
 * dropped once the newer one is full, which costs less than deleting names one by one.
 */
export const makeLruCache = <Name, Value extends {}>(size: number) => {
  let newer = new Map<Name, Value>()
  let older = new Map<Name, Value>()
  const set = (name: Name, value: Value): void => {
    if (newer.size >= size) {
      older = newer
      newer = new Map()
    }
    newer.set(name, value)
  }
  return {
    get: (name: Name): Value | undefined => {
      const value = newer.get(name)
      if (value !== undefined) return value
      const old = older.get(name)
      if (old !== undefined) set(name, old)
      return old
    },
    set,
    delete: (name: Name): void => {
      newer.delete(name)
      older.delete(name)
    }
  }
}

/** The codes of refusals that cost their senders nothing, and the service little until they come back at once. */
const delayed: ReadonlySet<string> = new Set(["invalid_key", "key_revoked", "rate_limited"])

/** A tenth of a second, always in real time: clients do not use the clock of a test. */
const tenthOfASecond: Effect.Effect<void> = Effect.callback((resume) => {
  const timer = setTimeout(() => resume(Effect.void), 100)
  return Effect.sync(() => clearTimeout(timer))
})

/** Waits before a refusal, whose connection may meanwhile be closed for a new one. */
export const refusalDelay: Effect.Effect<void> = Effect.flatMap(CurrentStanding, ({ refuse }) => {
  refuse()
  return tenthOfASecond
})

/**
 * Holds back a refusal that costs its sender nothing, so that a client that sends its next request as soon as one is
 * refused gets ten a second over each connection.
 */
export const holdBack = ({ code }: { readonly code: string }): Effect.Effect<void> =>
  delayed.has(code) ? refusalDelay : Effect.void
