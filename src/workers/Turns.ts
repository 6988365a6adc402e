import { Deferred, Effect } from "effect"
import { waiting } from "../Limits.ts"

/** One who takes turns: the pieces of work that wait, the oldest first, and the round of the next of them. */
interface Holder {
  readonly waiting: Set<Piece>
  round: number
}

interface Piece {
  /** Begins it when its turn comes; undefined once that has come. */
  begin: (() => void) | undefined
}

/**
 * Creates turns for this many pieces of work at a time. Each name has one in a round, in the order in which they came:
 * however many of its pieces wait, and whether it comes back after each of them or waits with several.
 */
export const makeTurns = (size: number) => {
  /** Those who wait, or have had their turn in this round. */
  const holders = new Map<string, Holder>()
  let round = 0
  let free = size

  /** The one whose next round is the first. */
  const next = () => {
    let first: Holder | undefined
    for (const [name, holder] of holders) {
      if (holder.waiting.size > 0) {
        if (first === undefined || holder.round < first.round) first = holder
      } else if (holder.round <= round) holders.delete(name)
    }
    return first
  }

  const proceed = () => {
    while (free > 0) {
      const holder = next()
      const [piece] = holder?.waiting ?? []
      if (holder === undefined || piece === undefined) return
      holder.waiting.delete(piece)
      round = holder.round++
      free--
      const { begin } = piece
      piece.begin = undefined
      begin?.()
    }
  }

  const enter = (name: string) =>
    Effect.sync(() => {
      const turn = Deferred.makeUnsafe<void>()
      const piece: Piece = { begin: () => Deferred.doneUnsafe(turn, Effect.void) }
      const holder = holders.get(name) ?? { waiting: new Set(), round }
      holders.set(name, holder)
      if (holder.waiting.size === 0) holder.round = Math.max(holder.round, round)
      holder.waiting.add(piece)
      proceed()
      return { holder, piece, turn }
    })

  const leave = ({ holder, piece }: { readonly holder: Holder; readonly piece: Piece }) =>
    Effect.sync(() => {
      if (piece.begin === undefined) free++
      else holder.waiting.delete(piece)
      proceed()
    })

  /** Runs an effect in a turn of a name. Interruptible while it waits for it. */
  return (name: string) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        enter(name),
        ({ turn }) =>
          Effect.andThen(
            waiting((begun) => Effect.andThen(Deferred.await(turn), begun)),
            effect
          ),
        leave
      )
}
