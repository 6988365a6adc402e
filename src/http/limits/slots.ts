import { makeTally } from "../../Tally.ts"

/** A slot that is taken. */
interface Slot {
  readonly owner: string
  /** Ends what the slot is for. */
  readonly cut: () => void
}

/**
 * Slots of owners, such as keys: `each` for one of them, and `all` in total. If all are taken, the newest of the owner
 * with the most is cut, which may be the one that is asked for.
 */
export const makeSlots = ({ all, each }: { readonly all: number; readonly each: number }) => {
  /** The oldest first. */
  const taken: Array<Slot> = []
  const held = makeTally<string>()

  const release = (slot: Slot) => {
    const at = taken.indexOf(slot)
    if (at < 0) return
    taken.splice(at, 1)
    held.add(slot.owner, -1)
  }

  return {
    /** Takes a slot. Returns a function that releases it, or undefined if there is none. */
    take: (owner: string, cut: () => void): (() => void) | undefined => {
      const own = held.of(owner) + 1
      if (own > each) return undefined
      if (taken.length >= all) {
        const most = Math.max(own, ...taken.map((slot) => held.of(slot.owner)))
        if (own === most) return undefined
        const newest = taken.findLast((slot) => held.of(slot.owner) === most)
        if (newest !== undefined) {
          release(newest)
          newest.cut()
        }
      }
      const slot = { owner, cut }
      taken.push(slot)
      held.add(owner, 1)
      return () => release(slot)
    }
  }
}
