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
const places = 512

/**
 * Makes what tells whether a text has come before, lately, and notes that it has come now. Of a text it keeps only the hash,
 * in a place that a later text may take: what comes once and never again is not kept in memory.
 */
export const makeIsRepeated = (): ((text: string) => boolean) => {
  const hashes = new Int32Array(places)
  return (text) => {
    const hash = Hash.string(text)
    const place = hash & (places - 1)
    const isRepeated = hashes[place] === hash
    hashes[place] = hash
    return isRepeated
  }
}
