import { Hash } from "effect"

/** How many bodies or answers are remembered at a time. */
export const mostRecent = 100

/** The values of the names that came last; a name is a text or an object. */
export interface Recent<Name, Value extends {}> {
  readonly get: (name: Name) => Value | undefined
  readonly set: (name: Name, value: Value) => void
}

/**
 * Remembers the values of the names that came last: of `most` different ones at least, of twice as many at most. Of two
 * tables the older is dropped once the newer is full, which costs less than to delete one name after the other.
 */
export const makeRecent = <Name, Value extends {}>(most: number): Recent<Name, Value> => {
  let newer = new Map<Name, Value>()
  let older = new Map<Name, Value>()
  const set = (name: Name, value: Value) => {
    if (newer.size >= most) {
      older = newer
      newer = new Map()
    }
    newer.set(name, value)
  }
  return {
    get: (name) => {
      const value = newer.get(name)
      if (value !== undefined) return value
      const old = older.get(name)
      if (old !== undefined) set(name, old)
      return old
    },
    set
  }
}

/** How many texts are known to have come, at most; a power of 2. */
const places = 4096

/**
 * Makes a function that says whether a text has come before, recently, and records that it has come now. It keeps only the
 * hash of a text, in a place that a later text may take: what comes once and never again is not kept in memory.
 */
export const makeIsRepeated = (): ((text: string) => boolean) => {
  const hashes = new Int32Array(places)
  return (text) => {
    const hash = Hash.string(text)
    // Texts that differ in a digit have hashes that differ in few bits: all of them choose the place.
    const place = (hash ^ (hash >>> 12) ^ (hash >>> 24)) & (places - 1)
    const isRepeated = hashes[place] === hash
    hashes[place] = hash
    return isRepeated
  }
}
