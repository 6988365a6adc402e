/** How many of all keys a table for requests remembers. */
export const mostRecent = 100

/** What was made of the keys that came last. */
export interface Recent<Key, Value extends {}> {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
}

/**
 * Remembers the values of the keys that came last: of `most` different ones at least, of twice as many at most. Of two
 * tables the older is dropped once the newer is full, which costs less than to delete one key after the other.
 */
export const makeRecent = <Key, Value extends {}>(most: number): Recent<Key, Value> => {
  let newer = new Map<Key, Value>()
  let older = new Map<Key, Value>()
  const set = (key: Key, value: Value) => {
    if (newer.size >= most) {
      older = newer
      newer = new Map()
    }
    newer.set(key, value)
  }
  return {
    get: (key) => {
      const value = newer.get(key)
      if (value !== undefined) return value
      const old = older.get(key)
      if (old !== undefined) set(key, old)
      return old
    },
    set
  }
}
