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
