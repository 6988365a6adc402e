import { Deferred, Effect, Schema } from "effect"

/** Too many requests are waiting to answer this one in time; it was not started. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {}) {}

/** A slot that is taken. */
interface Slot {
  readonly name: string
  hasBegun: boolean
  /** Called when its turn comes, if it has to wait for it. */
  begin?: () => void
  /** Called if it is taken away; undefined once it cannot be. */
  cut?: (() => void) | undefined
}

/** The slots that are taken by one name, the oldest first. */
interface Holder {
  readonly slots: Set<Slot>
  running: number
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
      if (holder.running >= atOnce) return
      if (slot.hasBegun) continue
      slot.hasBegun = true
      holder.running++
      slot.begin?.()
    }
  }

  const release = (slot: Slot) => {
    const holder = holders.get(slot.name)
    if (holder === undefined || !holder.slots.delete(slot)) return
    total--
    if (slot.hasBegun) holder.running--
    if (holder.slots.size === 0) holders.delete(slot.name)
    else proceed(holder)
  }

  /** Cuts the newest slot of the name with the most, if it has at least two more than `own`. Returns false if not. */
  const makeRoom = (own: number) => {
    const largest = [...holders.values()].reduce((a, b) => (b.slots.size > a.slots.size ? b : a))
    const newest = [...largest.slots].findLast(({ cut }) => cut !== undefined)
    if (largest.slots.size <= own + 1 || newest === undefined) return false
    release(newest)
    newest.cut?.()
    return true
  }

  const take = (slot: Slot): boolean => {
    const holder = holders.get(slot.name) ?? { slots: new Set(), running: 0 }
    const { size } = holder.slots
    if (size >= each || (total >= all && !makeRoom(size))) return false
    holders.set(slot.name, holder)
    holder.slots.add(slot)
    total++
    proceed(holder)
    return true
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
      return Effect.succeed({ slot, turn: Effect.interruptible(Deferred.await(turn)) })
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
